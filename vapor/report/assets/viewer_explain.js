// Why the policy acts as it does in a state: the stationarity condition of the program (section 4
// and appendix E.1 of the paper), term by term,
//   V(s) = E r + sigma^2 / (2 tau) - tau log lambda - tau + (E P V')(s,a)
// for VAPOR, less what constraints charge for the pair, and V(s) = -tau log lambda - tau + (E P V')(s,a) for the weighted entropy, which has
// no rewards and whose temperatures are its weights.
"use strict";

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const TERMS = {
  reward: ["Expected reward", "E r", "what the belief expects the action to pay at once"],
  optimism: ["Optimism", "sigma\u00b2/(2 tau)", "a bonus for what is uncertain"],
  entropy: ["Entropy", "\u2212tau log lambda", "a bonus for going where it seldom goes"],
  normaliser: ["Normaliser", "\u2212tau", "what the bonuses cost in return"],
  charge: ["Charge of the constraints", "\u2212y c", "what it uses of them, at their prices"],
  price: ["Price of the next state", "E P V\u2032", "what the states it leads to are worth"],
};

// The terms of a pair, in order, with a note where some do not exist; or only the reason why there
// are none.
function decomposition(run, snapshot, state, action) {
  if (snapshot.program === "none")
    return { reason: `${run.agent} solves no program, so there is no price V(s) to take apart. ` +
      "It acts by the probabilities above; lambda is where they lead under the expected " +
      "dynamics." };
  if (snapshot.program === "unknown" || snapshot.table("next_value") === null)
    return { reason: "This record was made by an older vapor, which did not keep the price of " +
      "the next state. Make the run again to see the terms." };
  const pair = run.firstPair[state] + action;
  const number = (name) => snapshot.table(name)[pair];
  const V = snapshot.table("V")[state];
  if (Number.isNaN(V))
    return { reason: "No policy reaches this state under the belief: it has no price." };
  const [lambda, tau] = [number("lambda"), number("tau")];
  const entropies = () => ({ entropy: -tau * Math.log(lambda), normaliser: -tau });
  const values = { price: number("next_value") };
  let note = "";
  const vapor = snapshot.program === "vapor";
  if (vapor) values.reward = number("reward_mean");
  if (snapshot.table("charge") !== null) values.charge = -number("charge");
  if (lambda === 0) {
    note = "lambda is 0: the plan leaves this action out. What it would pay stays below V(s).";
  } else if (!vapor && !(tau > 0)) {
    note = "This action has been tried: its weight in the entropy is 0, and it earns no bonus.";
  } else if (Number.isNaN(tau)) {
    note = number("sigma_hat") === 0
      ? "Nothing is uncertain about this action (sigma_hat = 0): no temperature, and no bonus."
      : "Every policy comes here and takes this action (lambda = 1, infinite temperature): there " +
        "is nothing to decide, and no bonus.";
  } else {
    Object.assign(values, entropies());
    if (vapor) values.optimism = number("sigma_hat") ** 2 / (2 * tau);
  }
  const terms = Object.keys(TERMS).filter((key) => key in values)
    .map((key) => ({ key, value: values[key] }));
  const sum = terms.reduce((total, term) => total + term.value, 0);
  return { terms, sum, V, residual: V - sum, lambda, note };
}

// A bar from a running total to the next, as a share of the widest span.
function waterfallBar(from, to, low, high) {
  const share = (x) => 100 * (x - low) / (high - low || 1);
  const bar = element("span", { class: to < from ? "bar down" : "bar up" });
  bar.style.left = `${share(Math.min(from, to))}%`;
  bar.style.width = `${Math.max(0.8, Math.abs(share(to) - share(from)))}%`;
  const zero = element("span", { class: "zero" });
  zero.style.left = `${share(0)}%`;
  return element("span", { class: "track", "aria-hidden": "true" }, zero, bar);
}

function termRow(key, [name, formula, why], value, bar) {
  const row = element("tr", { "data-term": key, "data-value": value },
    element("th", { scope: "row" }, name, " ", element("code", {}, formula),
      element("span", { class: "why" }, why)),
    element("td", {}, formatNumber(value)));
  row.append(bar ? element("td", { class: "fall" }, bar) : element("td"));
  return row;
}

function decompositionTable(parts) {
  const totals = [0];
  for (const { value } of parts.terms) totals.push(totals[totals.length - 1] + value);
  const low = Math.min(...totals, parts.V, 0);
  const high = Math.max(...totals, parts.V, 0);
  const body = element("tbody");
  parts.terms.forEach(({ key, value }, i) => body.append(
    termRow(key, TERMS[key], value, waterfallBar(totals[i], totals[i + 1], low, high))));
  const foot = element("tfoot", {},
    termRow("sum", ["Sum", "", ""], parts.sum, waterfallBar(0, parts.sum, low, high)),
    termRow("V", ["Price of this state", "V(s)", ""], parts.V,
      waterfallBar(0, parts.V, low, high)),
    termRow("residual", ["Difference", "V(s) \u2212 sum", ""], parts.residual, null));
  const head = element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Term"),
    element("th", { scope: "col" }, "Reward"),
    element("td", { class: "fall-head" }, "running total")));
  return element("table", { class: "terms" }, head, body, foot);
}

// What the difference between V(s) and the sum means.
function residualNote(parts) {
  const size = Math.max(1, ...parts.terms.map((t) => Math.abs(t.value)), Math.abs(parts.V));
  if (parts.lambda === 0) return ""; // the note says it
  if (Math.abs(parts.residual) <= 1e-4 * size)
    return "The terms add up to V(s): at the optimum every action that the plan uses is worth " +
      "the same, and what differs is how much of it is bonus.";
  if (parts.residual > 0 && !parts.terms.some((t) => t.key === "entropy"))
    return "The sum stays below V(s): this action is worth less than the others here.";
  return `The plan hardly comes here (lambda = ${formatNumber(parts.lambda)}), so the solver's ` +
    "accuracy does not settle the price of this pair: lambda times the difference is " +
    `${formatNumber(parts.lambda * Math.abs(parts.residual))}.`;
}

const DIRECTIONS = [["up", "", "down"], ["left", "", "right"]];

// "right" from the steps down and to the right; "" for none; the place for one that is far.
function directionOf(run, from, to) {
  const { row, column } = run.drawing;
  const steps = [row[to] - row[from], column[to] - column[from]];
  if (steps.some((step) => Math.abs(step) > 1)) return `to ${cellText(run, row[to], column[to])}`;
  return steps.map((step, i) => DIRECTIONS[i][step + 1]).filter(Boolean).join(" and ");
}

// "right", "down and left", ... or the place itself if it is not next to this one; an action that
// has a name is called by it, also where it most likely does something else.
function whereTo(run, state, pair) {
  const { next } = run.drawing;
  if (next.length === 0) return null;
  const to = next[pair];
  if (to < 0) return "the end";
  const way = directionOf(run, state, to);
  const name = run.drawing.action_names[pair - run.firstPair[state]] ?? way;
  if (name === way) return way || "stays here";
  return `${name}, but most likely ${way ? `goes ${way}` : "stays here"}`;
}

const ACTION_ROWS = [["policy", "probability"], ["lambda", "lambda"], ["tau", "tau"],
  ["sigma_hat", "sigma_hat"], ["reward_mean", "E r"], ["counts", "visits"]];

function actionHead(run, state, action, chosen, choose) {
  const pair = run.firstPair[state] + action;
  const radio = element("input", { type: "radio", name: `action-${run.number}`, value: action,
    "data-focus": `action-${run.number}-${action}` });
  radio.checked = action === chosen;
  radio.addEventListener("change", () => choose(action));
  const head = element("th", { scope: "col" }, element("label", {}, radio, ` ${action}`));
  const where = whereTo(run, state, pair);
  if (where)
    head.append(element("span", { class: "why" }, where + (run.goals.has(pair) ? ", a goal" : "")));
  return head;
}

// A column for each action of the state; its head chooses the one that is explained.
function actionTable(run, snapshot, state, chosen, choose) {
  const actions = Array.from({ length: run.drawing.actions[state] }, (_, a) => a);
  const head = element("tr", {}, element("th", { scope: "col" }, "action"),
    ...actions.map((a) => actionHead(run, state, a, chosen, choose)));
  const rows = ACTION_ROWS.filter(([key]) => snapshot.table(key) !== null).map(([key, title]) =>
    element("tr", { "data-row": key }, element("th", { scope: "row" }, title),
      ...actions.map((a) => {
        const value = snapshot.table(key)[run.firstPair[state] + a];
        return element("td", a === chosen ? { class: "chosen" } : {},
          Number.isNaN(value) ? "none" : formatNumber(value));
      })));
  const table = element("table", { class: "actions" },
    element("thead", {}, head), element("tbody", {}, ...rows));
  return element("div", { class: "scroll", tabindex: 0, role: "region",
    "aria-label": `Actions of ${run.agent} here` }, table);
}

function placeOf(run, state) {
  const { row, column } = run.drawing;
  return `${cellText(run, row[state], column[state])}, timestep ${run.layerOf[state]}`;
}

// One sentence that stands alone.
function summaryOf(run, snapshot, state, action, parts) {
  const pair = run.firstPair[state] + action;
  const where = whereTo(run, state, pair);
  const name = `action ${action}${where ? ` (${where})` : ""}`;
  const start = `At ${placeOf(run, state)}, after ${snapshot.episodes} episodes, ${run.agent} ` +
    `takes ${name} with probability ${formatNumber(snapshot.table("policy")[pair])}.`;
  if (parts.reason) return start;
  const term = (key) => parts.terms.find((t) => t.key === key)?.value ?? 0;
  const exploring = term("optimism") + term("entropy") + term("normaliser");
  const reward = snapshot.program === "vapor"
    ? `${formatNumber(term("reward"))} expected reward, ` : "";
  return `${start} V(s) = ${formatNumber(parts.V)} is made of ${reward}` +
    `${formatNumber(exploring)} for exploring (optimism, entropy, normaliser) and ` +
    `${formatNumber(term("price"))} for where it leads` +
    `${term("charge") === 0 ? "" : `, and ${formatNumber(term("charge"))} for what it uses of the budget`}.`;
}

// A line for each constraint of the program: its bound, what the plan uses of it, its price.
function constraintTable(snapshot) {
  const head = element("tr", {}, ...["constraint", "bound", "used", "price"].map((title) =>
    element("th", { scope: "col" }, title)));
  const rows = snapshot.constraints.map((c) => element("tr", { "data-constraint": c.name },
    element("th", { scope: "row" }, c.name), element("td", {}, `${c.sense} ${formatNumber(c.bound)}`),
    element("td", {}, formatNumber(c.used)),
    element("td", {}, c.price === null ? "none" : formatNumber(c.price))));
  return element("table", { class: "constraints" }, element("thead", {}, head),
    element("tbody", {}, ...rows));
}

// What the panel says about one run: a sentence, and the nodes below it. `options` has the states
// that share the cell, the chosen state and action (null: the likeliest), and what to call when
// another is chosen; `heading` is the element for headings.
function explanationOf(run, snapshot, options) {
  const { states, state } = options;
  const action = options.action !== null && options.action < run.drawing.actions[state]
    ? options.action : likeliestAction(run, snapshot, state);
  const parts = decomposition(run, snapshot, state, action);
  const body = [];
  if (states.length > 1) body.push(timestepChoice(run, snapshot, states, state, options));
  body.push(actionTable(run, snapshot, state, action, options.chooseAction));
  body.push(element(options.heading, {}, `Why action ${action}?`));
  if (parts.reason) {
    body.push(element("p", { class: "reason" }, parts.reason));
  } else {
    body.push(decompositionTable(parts));
    for (const note of [parts.note, residualNote(parts)])
      if (note) body.push(element("p", { class: "faint" }, note));
  }
  if (snapshot.constraints.length > 0)
    body.push(element(options.heading, {}, "What the constraints cost"), constraintTable(snapshot));
  return { summary: summaryOf(run, snapshot, state, action, parts), body };
}

// Many timesteps share a cell: which of them is explained.
function timestepChoice(run, snapshot, states, state, options) {
  const select = element("select", { "data-focus": `timestep-${run.number}` });
  for (const s of states) {
    const mass = stateValue(run, snapshot, QUANTITIES[0], s, WHOLE_STATE);
    const option = element("option", { value: s },
      `${run.layerOf[s]} (lambda ${formatNumber(mass)})`);
    option.selected = s === state;
    select.append(option);
  }
  select.addEventListener("change", () => options.chooseState(Number(select.value)));
  return element("p", {}, element("label", {}, "Timestep ", select));
}
