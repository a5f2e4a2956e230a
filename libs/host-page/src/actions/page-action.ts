/** What those who pass its guards can have done from the page: `POST actions/<name>?<parameters>`. */
export interface PageAction {
  /** What is to be done; undefined if there is nothing by these parameters. Nothing has begun yet. */
  plan(query: URLSearchParams): PlannedAction | undefined;
}

export interface PlannedAction {
  /** What it is about, such as the name of a job. */
  readonly subject: string;
  /** What is done, for the events and the log, such as `run by hand`. */
  readonly text: string;
  /** Does it; rejects with what went wrong. */
  run(): Promise<void>;
}

/** The actions of the page; each has guards of its own in the options of the module. */
export const ACTION_NAMES = ['runJob', 'restartService', 'changeLevel'] as const;

export type ActionName = (typeof ACTION_NAMES)[number];

/** A value for each action. */
export function byAction<T>(of: (name: ActionName) => T): Readonly<Record<ActionName, T>> {
  const values = ACTION_NAMES.map((name) => [name, of(name)] as const);
  return Object.fromEntries(values) as Readonly<Record<ActionName, T>>;
}
