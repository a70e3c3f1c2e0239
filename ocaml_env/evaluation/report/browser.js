
"use strict";
// Strings of the data reach the page as text nodes and attribute values only: completions are hostile.
const data = JSON.parse(document.getElementById("data").textContent);
const { outcomes, problems, texts, more, errors, samples } = data;
const at = id => document.getElementById(id);
const FILTERS = ["outcome", "level", "topic", "problem", "error"];
const PARTS = ["structure", "typecheck", "compile", "tests"];
const state = { outcome: "", level: "", topic: "", problem: "", error: "", text: "", sample: "" };
const unfolded = { Statement: true };
let fitting = [], current = -1, clock = 0, begun = false;

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter(child => child != null && child !== ""));
  return node;
}
const number = count => count.toLocaleString("en");
const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
const look = outcome => outcomes[outcome][1];
const link = (name, value, ...children) => el("a", { href: `#${name}=${encodeURIComponent(value)}` }, ...children);
const nameOf = sample => `${problems[sample.problem][0]}/${sample.sample}`;
const last = sample => sample.turns[sample.turns.length - 1];
const chip = outcome => el("i", { class: `chip ${look(outcome)}`, "aria-hidden": "true" });
const keyOf = found => `${found.kind}:${found.name}`;

// --- which samples -------------------------------------------------------------------------------------------------

const haystacks = new Map();
function haystack(sample) {
  if (!haystacks.has(sample)) {
    const told = sample.turns.flatMap(turn => [
      turn.before?.text, turn.code?.text, turn.after?.text,
      ...turn.diagnostics.map(found => `${found.kind} ${found.message}`),
    ]);
    const [, level, topics] = problems[sample.problem];
    const words = [nameOf(sample), level, ...topics, outcomes[sample.outcome][0], ...told];
    haystacks.set(sample, words.join("\n").toLowerCase());
  }
  return haystacks.get(sample);
}

function fits(sample) {
  const [id, level, topics] = problems[sample.problem];
  const outcome = outcomes[sample.outcome][0];
  return (!state.outcome || (state.outcome === "failed" ? outcome !== "PASSED" : outcome === state.outcome))
    && (!state.level || level === state.level)
    && (!state.topic || (topics.length ? topics.includes(state.topic) : state.topic === "none"))
    && (!state.problem || id === state.problem)
    && (!state.error || last(sample).diagnostics.some(found => !found.cascade && keyOf(found) === state.error))
    && state.text.toLowerCase().split(/\s+/).every(word => !word || haystack(sample).includes(word));
}

function filter() {
  fitting = samples.filter(fits);
  at("count").textContent = `${number(fitting.length)} of ${plural(samples.length, "sample")}`;
  for (const name of FILTERS) at(name).value = state[name];
  if (at("text").value !== state.text) at("text").value = state.text;
  for (const field of document.querySelectorAll(".field")) {
    field.classList.toggle("current", field.dataset.id === state.problem);
  }
  at("list").replaceChildren(...fitting.map((sample, place) => {
    const button = el("button", { type: "button", title: nameOf(sample) }, chip(sample.outcome),
      el("span", { class: "name" }, nameOf(sample)),
      el("span", { class: "ended" }, outcomes[sample.outcome][0].replace("_", " ").toLowerCase()),
      el("span", { class: "total" }, last(sample).total.toFixed(2)));
    button.addEventListener("click", () => choose(place));
    return el("li", {}, button);
  }));
  const place = fitting.findIndex(sample => nameOf(sample) === state.sample);
  choose(place < 0 && fitting.length ? 0 : place);
}

function choose(place) {
  const rows = at("list").children;
  rows[current]?.firstChild.removeAttribute("aria-current");
  current = place;
  const sample = fitting[place];
  at("previous").disabled = place <= 0;
  at("next").disabled = place >= fitting.length - 1;
  at("position").textContent = sample ? `${number(place + 1)} of ${number(fitting.length)}` : "";
  if (!sample) {
    state.sample = "";
    at("sample").replaceChildren(el("p", { class: "note" }, missing()));
    return remember();
  }
  state.sample = nameOf(sample);
  const row = rows[place], list = at("list");
  row.firstChild.setAttribute("aria-current", "true");
  if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
  at("sample").replaceChildren(...shown(sample));
  remember();
}

function missing() {
  if (!samples.length) return "This page holds no sample.";
  return "No sample on this page fits. Clear the filters, or make a page with more samples: " +
    "python -m benchmarks.report DIR --samples N";
}

// The address says what is shown, so that it can be kept, and opened again.
function remember() {
  clearTimeout(clock);
  if (!begun) return;
  clock = setTimeout(() => {
    const wanted = new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();
    if (wanted !== location.hash.slice(1)) history.replaceState(null, "", "#" + wanted);
  }, 300);
}

function recall(moves) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (![...wanted.keys()].some(name => name in state && wanted.get(name))) return false;
  for (const name of Object.keys(state)) state[name] = wanted.get(name) ?? "";
  for (const name of FILTERS) {
    const known = [...at(name).options].some(option => option.value === state[name]);
    if (!known) at(name).append(el("option", { value: state[name] }, state[name]));
  }
  const asked = state.sample;
  filter();
  if (asked && asked !== state.sample) {
    at("sample").prepend(el("p", { class: "note" }, `${asked} is not on this page.`));
  }
  if (moves) {
    at("browser").scrollIntoView();
    (at("sample").querySelector("h3") || at("browser")).focus({ preventScroll: true });
  }
  return true;
}

// --- one sample ----------------------------------------------------------------------------------------------------

function shown(sample) {
  const [id, level, topics] = problems[sample.problem];
  const text = texts[sample.problem], extra = more[sample.problem];
  const about = [link("level", level, level), ...topics.map(topic => link("topic", topic, topic))];
  return [
    el("h3", { tabindex: "-1" }, link("problem", id, id), ` sample ${sample.sample}`),
    el("div", { class: "told" }, told(sample)),
    el("div", { class: "told" }, about),
    text ? fold("Statement", prose(text.statement), text.signature ? plainBox(text.signature, "signature") : null)
      : el("p", { class: "dim" }, "The statement is not at hand: the problem set could not be read."),
    extra?.prompt ? fold("Prompt", plainBox({ text: extra.prompt }, "prompt")) : null,
    extra?.reference ? fold("Reference", plainBox({ text: extra.reference }, "reference")) : null,
    sample.earlier ? el("p", { class: "dim" }, `${plural(sample.earlier, "earlier turn")} left out.`) : null,
    ...sample.turns.flatMap((turn, place) => answer(turn, isLong(sample) ? `Turn ${sample.earlier + place + 1}` : "")),
    ...tests(sample, text),
  ].filter(Boolean);
}

const isLong = sample => sample.turns.length + sample.earlier > 1;

function told(sample) {
  const turn = last(sample), turns = sample.turns.length + sample.earlier;
  const solved = sample.solved ? `solved at turn ${sample.solved}` : `not solved in ${turns} turns`;
  return [
    ...ending(turn),
    el("span", {}, "reward ", el("b", {}, turn.total.toFixed(3))),
    isLong(sample) ? el("span", {}, solved) : null,
    sample.tokens != null ? el("span", {}, plural(sample.tokens, "token")) : null,
    sample.seconds ? el("span", {}, `${sample.seconds} s`) : null,
  ];
}

const ending = turn => [
  el("span", {}, chip(turn.outcome), el("b", {}, outcomes[turn.outcome][0])),
  turn.of ? el("span", {}, `${turn.passed} of ${plural(turn.of, "test")}`) : null,
  turn.truncated ? el("span", { class: "note" }, "cut off") : null,
];

function fold(title, ...children) {
  const node = el("details", { open: Boolean(unfolded[title]) }, el("summary", {}, title), ...children);
  node.addEventListener("toggle", () => { unfolded[title] = node.open; });
  return node;
}

const rest = count => `${plural(count, "more character")}`;

// Statements are Markdown, of which this reads paragraphs, lists, blocks of code, code and emphasis.
function prose(text) {
  const node = el("div", { class: "prose" });
  text.text.split(/^```.*\n([^]*?)^```[ \t]*$/m).forEach((part, place) => {
    if (place % 2) return node.append(plainBox({ text: part.replace(/\n$/, "") }, "code"));
    for (const block of part.split(/\n\s*\n/).filter(block => block.trim())) {
      for (const item of block.trim().split(/\n(?=\s*(?:[-*]|\d+\.) )/)) {
        const listed = /^\s*([-*]|\d+\.) /.test(item);
        const line = item.replace(/^\s*[-*] /, "• ").replace(/\s*\n\s*/g, " ");
        node.append(el("p", { class: listed ? "item" : null }, ...inline(line)));
      }
    }
  });
  if (text.more) node.append(el("p", { class: "dim" }, `… ${rest(text.more)}`));
  return node;
}

function inline(line) {
  const parts = line.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
  return parts.map((part, place) => {
    if (place % 2 === 0) return part;
    if (part[0] === "`") return el("code", {}, part.slice(1, -1));
    return part[1] === "*" ? el("b", {}, part.slice(2, -2)) : el("em", {}, part.slice(1, -1));
  });
}

function plainBox(text, name) {
  const more = text.more ? `\n… ${rest(text.more)}` : "";
  return el("pre", { tabindex: "0", role: "group", "aria-label": name }, text.text, more);
}

function answer(turn, title) {
  const parts = [el("h4", {}, title || "Answer"), title ? el("div", { class: "told" }, ending(turn)) : null];
  if (turn.reason) parts.push(el("p", { class: "bad" }, `No code: ${turn.reason}.`));
  else if (outcomes[turn.outcome][0] === "NO_CODE") parts.push(el("p", { class: "bad" }, "The code defines nothing."));
  if (turn.apart) {
    const title = text => el("p", { class: "dim small" }, text);
    parts.push(title("The code, as it was judged:"), codeBox({ ...turn, before: null, after: null }, "code"));
    parts.push(title("What was written:"), codeBox({ ...turn, code: null }, "completion"));
  } else {
    parts.push(codeBox(turn, "completion"));
  }
  const elsewhere = turn.diagnostics.filter(found => found.at == null);
  if (elsewhere.length || turn.more) parts.push(el("ul", {}, elsewhere.map(found =>
    el("li", {}, ...message(found), found.frame ? plainBox({ text: found.frame }, "place") : null)),
    turn.more ? el("li", { class: "dim" }, `and ${turn.more} more`) : null));
  return [...parts, ...pays(turn)];
}

function message(found) {
  const place = found.line ? `line ${found.line}, column ${found.column}: ` : "";
  const follows = found.cascade ? el("small", {}, " (follows from another)") : "";
  return [el("small", {}, `${place}${found.kind}: `), found.message, follows];
}

function codeBox(turn, name) {
  const box = el("pre", { class: "code", tabindex: "0", role: "group", "aria-label": name });
  const around = text => {
    if (!text) return;
    const lines = text.text.replace(/^\n|\n$/g, "").split("\n");
    box.append(...lines.map(line => el("span", { class: "l out" }, line + "\n")));
    if (text.more) box.append(el("span", { class: "rest" }, `… ${rest(text.more)}\n`));
  };
  around(turn.before);
  if (turn.code) {
    turn.code.text.split("\n").forEach((line, place) => {
      const found = turn.diagnostics.filter(one => one.line === place + 1 && one.at != null);
      const wrong = found.some(one => !one.cascade) ? " wrong" : "";
      box.append(el("span", { class: `l own${wrong}`, "data-n": place + 1 }, marked(line, found), "\n"));
      for (const one of found) {
        box.append(el("span", { class: one.cascade ? "said follows" : "said" }, ...message(one), "\n"));
      }
    });
    if (turn.code.more) box.append(el("span", { class: "rest" }, `… ${rest(turn.code.more)} of the code\n`));
  }
  around(turn.after);
  if (!box.childNodes.length) box.append(el("span", { class: "rest" }, "(empty)"));
  return box;
}

// The places of messages are underlined: a literal, a word or an operator from there on, or one character.
const TOKEN = /^(?:"(?:[^"\\]|\\.)*"|[\p{L}\p{N}_'.]+|[-!$%&*+/:<=>?@^|~]+|.)/u;

function marked(line, found) {
  const characters = [...line], parts = [];
  let done = 0;
  for (const { at: place } of [...found].sort((a, b) => a.at - b.at)) {
    if (place < done) continue;
    const token = characters.slice(place).join("").match(TOKEN)?.[0] ?? "";
    parts.push(characters.slice(done, place).join(""), el("mark", {}, token || " "));
    done = place + [...token].length;
  }
  return [...parts, characters.slice(done).join("")];
}

function pays(turn) {
  const parts = Object.entries(turn.parts).filter(([, value]) => value);
  const sum = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
  const bar = el("div", { class: "pays", "aria-hidden": "true" });
  PARTS.forEach((name, place) => {
    const piece = el("span", { class: `p${place}` });
    piece.style.width = `${100 * Math.max(0, turn.parts[name] || 0)}%`;
    bar.append(piece);
  });
  return [bar, el("p", { class: "dim small" }, `Reward ${turn.total.toFixed(3)}: ${sum || "no part earned anything"}`)];
}

function tests(sample, text) {
  const all = text?.tests || [], ended = sample.tests, turn = last(sample), title = el("h4", {}, "Tests");
  if (!ended?.length) {
    const why = turn.of ? "The problem's tests have changed since: which passed is not known." : "No test was reached.";
    const name = `The problem's ${plural(all.length, "test")}`;
    const asked = all.length ? fold(name, listed(all.map(test => [test]))) : null;
    return [title, el("p", { class: "dim" }, why), asked];
  }
  const details = sample.details || {};
  const pairs = ended.map((outcome, place) => [all[place] || { name: `test ${place + 1}` }, outcome, details[place]]);
  const failing = pairs.filter(([, outcome]) => outcome), passing = pairs.filter(([, outcome]) => !outcome);
  const share = group => `${group.filter(([, outcome]) => !outcome).length} of ${group.length}`;
  const seen = pairs.filter(([test]) => test.public), hidden = pairs.filter(([test]) => !test.public);
  const split = text ? `: ${share(seen)} examples, ${share(hidden)} hidden` : "";
  return [
    title,
    el("p", {}, `${turn.passed} of ${turn.of} pass`, el("span", { class: "dim" }, split)),
    el("div", { class: "strip", "aria-hidden": "true" }, pairs.map(([test, outcome]) => el("i", {
      class: `${look(outcome)}${test.public ? " shown" : ""}`, title: `${test.name}: ${outcomes[outcome][0]}`,
    }, outcome ? "×" : ""))),
    listed(failing.slice(0, 12)),
    failing.length > 12 ? fold(`${failing.length - 12} more that fail`, listed(failing.slice(12))) : null,
    passing.length ? fold(`${plural(passing.length, "test")} passed`, listed(passing)) : null,
  ];
}

const listed = pairs => pairs.length ? el("ul", { class: "tests" }, pairs.map(pair => oneTest(...pair))) : null;

function oneTest(test, outcome, detail) {
  const ended = outcome == null ? null : el("span", {}, chip(outcome), el("b", {}, outcomes[outcome][0]));
  const name = test.name + (test.public ? " (shown in the prompt)" : "");
  const head = el("div", { class: "told" }, ended, el("span", {}, name));
  const code = test.code ? plainBox(test.code, "test") : null;
  const streams = [["stdin", "reads"], ["stdout", "must print"]].filter(([name]) => name in test).map(([name, title]) =>
    [el("div", { class: "dim small" }, title), plainBox(test[name] || { text: "(nothing)" }, title)]).flat();
  return el("li", {}, head, code, streams, detail ? el("div", { class: "dim small" }, detail) : null);
}

// --- the map and the filters ---------------------------------------------------------------------------------------

function heat(count, passed) {
  if (!count) return "h-none";
  if (!passed) return "h0";
  return passed === count ? "h5" : `h${Math.min(4, 1 + Math.floor(4 * (passed - 1e-9) / count))}`;
}

function drawMap() {
  const rows = new Map();
  for (const problem of problems) {
    const topic = problem[2][0] || "none";
    if (!rows.has(topic)) rows.set(topic, []);
    rows.get(topic).push(problem);
  }
  const share = ([, , , count, passed]) => count ? passed / count : 2;
  const mean = row => row.reduce((sum, problem) => sum + Math.min(1, share(problem)), 0) / row.length;
  const sorted = [...rows].sort(([a, x], [b, y]) => mean(x) - mean(y) || (a < b ? -1 : 1));
  at("fields").replaceChildren(...sorted.map(([topic, row]) => {
    row.sort((a, b) => share(a) - share(b) || (a[0] < b[0] ? -1 : 1));
    return el("div", { class: "map-row" }, el("h3", {}, topic), el("div", {}, row.map(field)));
  }));
}

function field([id, level, , count, passed]) {
  const told = `${id}, ${level}: ${passed} of ${count} passed`;
  const attributes = { class: `field ${heat(count, passed)}`, title: told, "aria-label": told, "data-id": id };
  return el("a", { href: `#problem=${encodeURIComponent(id)}`, ...attributes }, count ? String(passed) : "–");
}

function options(name, pairs) {
  const rows = pairs.map(([value, title]) => el("option", { value }, title));
  at(name).replaceChildren(el("option", { value: "" }, "all"), ...rows);
}

function begin() {
  const counts = new Map();
  for (const sample of samples) counts.set(sample.outcome, (counts.get(sample.outcome) || 0) + 1);
  const failed = samples.filter(sample => sample.outcome).length;
  const ended = outcomes.map(([name], place) => [name, `${name} (${counts.get(place)})`]);
  options("outcome", [["failed", `not passed (${failed})`], ...ended.filter((_, place) => counts.get(place))]);
  const levels = [...new Set(problems.map(problem => problem[1]))].sort();
  options("level", levels.map(name => [name, name]));
  options("topic", [...new Set(problems.flatMap(problem => problem[2]))].sort().map(name => [name, name]));
  options("problem", problems.map(([id]) => [id, id]).sort());
  options("error", Object.entries(errors).map(([key, count]) => [key, `${key.replace(":", " ")} (${number(count)})`]));
  const left = data.all - samples.length;
  at("extent").textContent = left
    ? `${number(samples.length)} of ${plural(data.all, "sample")} can be looked at here, failures first; ` +
      `the other ${number(left)} are left out here, and count in every figure above.`
    : `All ${plural(data.all, "sample")} can be looked at here.`;
  drawMap();
  for (const name of FILTERS) at(name).addEventListener("change", () => { state[name] = at(name).value; filter(); });
  let typing = 0;
  at("text").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => { state.text = at("text").value; filter(); }, 120);
  });
  at("filters").addEventListener("submit", event => event.preventDefault());
  at("filters").addEventListener("reset", event => {
    event.preventDefault();
    for (const name of [...FILTERS, "text"]) state[name] = "";
    filter();
  });
  at("previous").addEventListener("click", () => choose(current - 1));
  at("next").addEventListener("click", () => choose(current + 1));
  addEventListener("hashchange", () => recall(true));
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, [tabindex='0']")) return;
    const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
    if (step && fitting[current + step]) choose(current + step);
    else if (event.key === "/") at("text").focus();
    else return;
    event.preventDefault();
  });
  if (!recall(true)) filter();
  begun = true;
}

begin();
