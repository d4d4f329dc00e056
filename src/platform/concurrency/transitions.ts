/** For each state those that may follow it. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/** For each state the events that can happen in it, and the state after each. */
export type EventTransitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** Returns the state after an event. @throws Error if the event is not a transition of the state */
export function stateAfter<State extends string, Event extends string>(
  transitions: EventTransitions<State, Event>,
  state: State,
  event: Event,
): State {
  const after: State | undefined = transitions[state][event];
  if (after === undefined) throw new Error(`"${event}" cannot happen in the state "${state}".`);
  return after;
}
