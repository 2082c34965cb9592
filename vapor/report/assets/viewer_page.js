// The page around the maps: controls, introduction, footer; it starts everything.
"use strict";

let timer = null;
function stop() {
  clearInterval(timer);
  timer = null;
  play.textContent = "Play";
}
function togglePlay() {
  if (timer !== null) return stop();
  if (state.moment === moments.length - 1) state.moment = -1;
  play.textContent = "Pause";
  const next = () => {
    ++state.moment;
    showMoment();
    if (state.moment === moments.length - 1) stop();
  };
  timer = setInterval(next, Math.max(120, Math.min(700, 12000 / moments.length)));
  return next();
}

const play = element("button", { type: "button", id: "play" }, "Play");
play.addEventListener("click", togglePlay);
const slider = element("input", { type: "range", id: "slider", min: 0, max: moments.length - 1,
  step: 1, "aria-label": "Episodes that the agent has seen" });
slider.addEventListener("input", () => {
  stop();
  state.moment = Number(slider.value);
  showMoment();
});
const moment = element("output", { id: "moment", for: "slider" });

function choice(id, label, options, onChange) {
  const select = element("select", { id });
  for (const [value, text] of options) select.append(element("option", { value }, text));
  select.addEventListener("change", () => onChange(select.value));
  return element("label", {}, element("span", { class: "word" }, label), select);
}

function tick(id, label, initial, onChange) {
  const box = element("input", { type: "checkbox", id });
  box.checked = initial;
  box.addEventListener("change", () => onChange(box.checked));
  return element("label", {}, box, ` ${label}`);
}

// Keeps the explained state where it is when the drawing changes around it.
function redraw(change) {
  const kept = runs.map(explainedState);
  change();
  const at = runs.findIndex((run, i) =>
    kept[i] !== null && statesAt(run, cellOf(run, kept[i])).length > 0);
  state.chosen = at < 0 ? null : cellOf(runs[at], kept[at]);
  state.chosenState = kept;
  if (!state.chosen) chooseStart();
  state.cursor = state.chosen;
  stepChoice.hidden = state.view === "graph" || !runs.some((r) => r.shared);
  draw();
  explain();
}

const mostLayers = Math.max(...runs.map((r) => r.layers));
const mostActions = Math.max(...runs.map((r) => r.mostActions));
const numbers = (count, word) => Array.from({ length: count }, (_, i) => [i, `${word} ${i}`]);
const viewChoice = choice("view-choice", "Drawn as", [
  ["grid", runs.some(isGrid) ? "the environment's grid" : "the environment's line of states"],
  ["graph", "layers: x = timestep, y = state"]],
(value) => redraw(() => { state.view = value; }));
const stepChoice = choice("step-choice", "Timestep", [[ALL_STEPS, "all timesteps together"],
  ...numbers(mostLayers, "timestep")], (value) => redraw(() => { state.layer = Number(value); }));
const actionChoice = choice("action-choice", "Numbers of", [[WHOLE_STATE, "the whole state"],
  ...numbers(mostActions, "action")], (value) => {
  state.action = Number(value);
  draw();
});
const rescale = tick("rescale", "colours for this moment alone", false, (on) => {
  state.rescale = on;
  draw();
});
const logarithmic = tick("logarithmic", "logarithmic colours where numbers span decades", true,
  (on) => {
    state.logarithmic = on;
    draw();
  });

function runLine(run) {
  const shown = run.snapshots.length;
  const line = element("li", {}, element("strong", {}, run.agent),
    ` in ${run.env}, seed ${run.seed}: ${run.episodes} episodes` +
    `${run.finished ? "" : " so far, unfinished"}, ` +
    (shown < run.snapshots_recorded
      ? `${shown} of its ${run.snapshots_recorded} snapshots, thinned evenly to keep the page small`
      : `${shown} snapshot${shown === 1 ? "" : "s"}`));
  run.note = element("span", { class: "faint" });
  line.append(run.note);
  return line;
}

function introduction() {
  const hatch = element("span", { class: "swatch hatched", "aria-hidden": "true" });
  const ring = element("span", { class: "swatch ring", "aria-hidden": "true" });
  return [
    element("p", {}, "This page shows what an agent thought while it learnt. Before each " +
      "episode it has a belief about the rewards, and a plan of where to go. Every map below is " +
      "one number of that plan or belief, with a square for each state of the environment. Move " +
      "the slider to see it learn; choose a square, with a click or with arrow keys and Enter, " +
      "to see why the policy acts there."),
    element("ul", { class: "runs" }, ...runs.map(runLine)),
    element("details", {}, element("summary", {}, "How to read the maps"),
      element("ul", {},
        element("li", {}, "Dark blue is low, yellow is high; the bar under a map has the numbers. ",
          "Scales stay the same over all episodes", two ? " and for both agents" : "",
          " unless you ask for colours of the moment."),
        element("li", {}, hatch, " Hatched: the number does not exist. There is no temperature " +
          "where nothing is uncertain (sigma_hat = 0) or where every policy must pass " +
          "(lambda = 1, infinite temperature), and no price where no policy arrives."),
        element("li", {}, ring, " A ring marks a state with an action that reaches a goal. Lines " +
          "lead from the chosen state to where its actions most likely go, the likelier the " +
          "wider."),
        element("li", {}, `${runs.some(isGrid) ? "Rows, columns" : "States"}, timesteps and actions ` +
          "are counted from 0. Numbers are kept to seven digits."))),
  ];
}

function footer() {
  const commands = runs.map((run) => element("pre", {}, run.command));
  return [element("h2", {}, "How it was made"), ...commands,
    element("p", {}, `vapor ${runs[0].version}; records in ` +
      runs.map((r) => r.folder).join(" and "))];
}

// The explanation starts where the episodes do.
function chooseStart() {
  const layer = Math.min(Math.max(0, state.layer), runs[0].layers - 1);
  const states = runs[0].layerOf.map((_, s) => s).filter((s) => runs[0].layerOf[s] === layer);
  state.chosen = cellOf(runs[0], likeliestState(runs[0], states));
  state.chosenState = runs.map((run) =>
    statesAt(run, state.chosen).find((s) => run.layerOf[s] === layer) ?? null);
}

const figures = QUANTITIES.map((quantity, i) => makeFigure(quantity, i === 0));
const panels = runs.map((run) => ({
  summary: element("p", { class: "summary", "aria-live": "polite" }),
  body: element("div"),
}));

function build() {
  const header = document.querySelector("header");
  header.append(...introduction());
  const main = document.getElementById("view");
  const sections = runs.map((run, i) => {
    const section = element("section", { class: "explanation", "data-run": i,
      "aria-label": `Why ${run.agent} acts there` });
    if (two) section.append(element("h3", {}, run.agent));
    section.append(panels[i].summary, panels[i].body);
    return section;
  });
  const options = element("div", { class: "options", role: "group", "aria-label": "What is drawn" },
    stepChoice, actionChoice, rescale, logarithmic);
  if (!runs.every((run) => run.isLayeredGraph)) options.prepend(viewChoice);
  stepChoice.hidden = !runs.some((r) => r.shared);
  main.replaceChildren(
    element("div", { class: "time", role: "group", "aria-label": "Time" }, play, slider, moment),
    options,
    element("p", { id: "announcer", class: "visually-hidden", "aria-live": "polite" }),
    element("div", { class: two ? "board two" : "board" },
      element("section", { class: "maps", "aria-label": "Maps" },
        element("h2", {}, "What it thinks"),
        element("div", { class: "figures" }, ...figures.map((f) => f.node))),
      element("section", { id: "why", "aria-label": "Explanation" },
        element("h2", {}, "Why the policy acts there"),
        element("div", { class: "explanations" }, ...sections))));
  document.querySelector("footer").append(...footer());
}

build();
chooseStart();
showMoment();
new ResizeObserver(draw).observe(document.getElementById("view"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
