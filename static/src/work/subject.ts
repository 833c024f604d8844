/** The case that the report and the shapes speak of: the report's own choice until the learner makes one. */
import {make} from "../page/dom";
import {parts} from "../page/parts";
import type {Report} from "../page/report";

let chosen: string | null = null; // a case's name, "" for no shapes, null for the report's own choice

/** What a run is asked for. */
export function traced(): {trace?: string} {
  return chosen ? {trace: chosen} : {}; // what is found out does not depend on whether shapes are shown
}

/** A submission speaks of the first test that fails, whatever was looked at before. */
export function forgetChoice(): void {
  if (chosen !== "") chosen = null;
}

/** Whether shapes are switched off. */
export function shapesOff(): boolean {
  return chosen === "";
}

/** Lets "Shapes from" say whose shapes are shown. */
export function nameSubject({trace, tests}: Report): void {
  const choice = parts.shapesFrom();
  if (!choice || !trace || chosen === "") return;
  const name = trace.case;
  choice.querySelector("option[data-hidden]")?.remove();
  if (![...choice.options].some(option => option.value === name)) {
    const title = `Test ${tests.findIndex(test => test.name === name) + 1} (hidden)`;
    choice.prepend(make("option", {value: name, "data-hidden": ""}, title));
  }
  choice.value = name;
}

/** Listens to the choice; `again` runs the code for a report of the case that was chosen. */
export function setUpSubject(again: () => void, hide: () => void): void {
  const choice = parts.shapesFrom();
  choice?.addEventListener("change", () => {
    chosen = choice.value;
    if (chosen === "") hide();
    else again();
  });
}
