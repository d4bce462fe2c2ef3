// Names for what the theme and the gallery leave without one: a reader who does not see the page hears them.
document.addEventListener("DOMContentLoaded", () => {
  for (const summary of document.querySelectorAll("summary"))
    if (!summary.textContent.trim()) summary.setAttribute("aria-label", "Show or hide the pages of this section");
  for (const link of document.querySelectorAll(".sphx-glr-thumbcontainer a")) link.setAttribute("aria-label", link.textContent);
});
