"""The page of an audit, as tests use it."""

from tests.browser import Page


class AuditPage(Page):
    """And what is on the page of an audit."""

    def listed(self, column=2):
        return self.texts(f"#rows tr[data-sample] td:nth-child({column})")

    def sort_by_head(self, name):
        head = next(each for each in self.all("#heads button") if each.text.startswith(name))
        head.click()

    @property
    def title(self):
        return self.one("#sample-title").text

    @property
    def status(self):
        return self.one("#status").text

    @property
    def progress(self):
        return self.one("#progress").text
