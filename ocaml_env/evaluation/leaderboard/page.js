// Sorts a table by a click on a head, and shows only the chosen track and level.
const sections = [...document.querySelectorAll("section")];
const track = document.getElementById("track"), level = document.getElementById("level");

function sort(head, falling) {
  const place = [...head.parentNode.children].indexOf(head), body = head.closest("table").tBodies[0];
  const value = row => {
    const text = row.children[place].textContent, number = parseFloat(text);
    return head.classList.contains("n") ? (isNaN(number) ? -Infinity : number) : text;
  };
  const rows = [...body.rows].map(row => [value(row), row]);
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (falling ? -1 : 1));
  body.append(...rows.map(([, row]) => row));
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", falling ? "descending" : "ascending");
}

function filter() {
  for (const section of sections) {
    section.hidden = track.value !== "" && section.dataset.track !== track.value;
    for (const cell of section.querySelectorAll("[data-level]"))
      cell.hidden = level.value !== "" && cell.dataset.level !== level.value;
    const head = section.querySelector(`th[data-level="${level.value}"]`);
    if (head) sort(head, true);
  }
}

for (const button of document.querySelectorAll("th button")) {
  const head = button.parentNode;
  button.addEventListener("click", () => {
    const before = head.getAttribute("aria-sort");
    sort(head, before ? before === "ascending" : head.classList.contains("n"));
  });
}
for (const choice of [track, level]) choice.addEventListener("change", filter);
