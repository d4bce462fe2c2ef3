"""One thread per fit, also where fits begin and end beside each other."""

from contextlib import contextmanager

from emphatic import threads
from emphatic.threads import one_thread, one_thread_each


class Library:
    """Has four threads unless it is limited."""

    n_threads = 4

    @contextmanager
    def limit(self, limits):
        before, self.n_threads = self.n_threads, limits
        yield
        self.n_threads = before


def test_threads_are_given_back_when_the_last_task_has_ended(monkeypatch):
    library = Library()
    monkeypatch.setattr(threads, "_controller", lambda n_modules: library)
    first, second, third = one_thread_each(), one_thread_each(), one_thread_each()
    seen = []
    for step in (first.__enter__, second.__enter__, lambda: first.__exit__(None, None, None), third.__enter__):
        step()
        with one_thread():
            seen.append(library.n_threads)
        seen.append(library.n_threads)
    second.__exit__(None, None, None)
    assert [*seen, library.n_threads] == 9 * [1]
    third.__exit__(None, None, None)
    assert library.n_threads == 4
