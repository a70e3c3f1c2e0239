"""A list to search: a field for words, menus, and the script that hides the other rows.

The page has ``#search``, the menus of ``choice`` in ``.filters``, ``#count``, and ``details`` as the children of an
element whose ``data-rows`` is the plural of their name. A menu filters the elements that have a data attribute of its
name: rows, or the elements of class ``sample`` in a row. The values of an attribute are separated by newlines.
"""

from __future__ import annotations

from collections.abc import Mapping

from ocaml_env.display.markup import plain

__all__ = ["SCRIPT", "choice"]

SCRIPT = r"""
const list = document.querySelector("[data-rows]"), field = document.getElementById("search");
const menus = [...document.querySelectorAll(".filters select")], count = document.getElementById("count");
const rows = list ? [...list.children] : [], texts = new Map();
function fits(element) {
  return menus.every(({ id, value }) =>
    !value || element.dataset[id] === undefined || element.dataset[id].split("\n").includes(value));
}
function textOf(row) {  // of the whole row, if it does not say by which words it is found
  if (!texts.has(row)) texts.set(row, (row.dataset.text ?? row.textContent).toLowerCase());
  return texts.get(row);
}
function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0, samples = 0, all = 0;
  for (const row of rows) {
    const here = [...row.getElementsByClassName("sample")];
    for (const sample of here) sample.hidden = !fits(sample);
    const left = here.filter(sample => !sample.hidden).length;
    row.hidden = (here.length && !left) || !fits(row) || !words.every(word => textOf(row).includes(word));
    all += here.length;
    if (!row.hidden) { shown += 1; samples += left; }
  }
  const answers = all ? `, ${samples} of ${all} answers` : "";
  count.textContent = `${shown} of ${rows.length} ${list.dataset.rows}${answers}`;
}
if (list) {
  field.addEventListener("input", show);
  for (const menu of menus) menu.addEventListener("change", show);
  show();
}
"""
"""Goes to the end of the body. It needs no other script, and does nothing on a page without such a list."""


def choice(name: str, every: str, values: Mapping[str, str]) -> str:
    """Makes the menu of a filter: its values with their labels, and a first choice without a filter."""
    options = "".join(f'<option value="{plain(value)}">{plain(label)}</option>' for value, label in values.items())
    return f'<select id="{name}" aria-label="{every}"><option value="">{every}</option>{options}</select>'
