/** What those who pass its guards can have done from the page: `POST actions/<name>?<parameters>`. */
export interface PageAction {
  /**
   * Begins the action.
   *
   * @returns what is done, and when that has ended; undefined if there is nothing by these parameters.
   */
  begin(query: URLSearchParams): BegunAction | undefined;
}

export interface BegunAction {
  /** What it is about, such as the name of a job. */
  readonly subject: string;
  /** What is done, for the events and the log, such as `run now`. */
  readonly text: string;
  /** Rejects with what went wrong. */
  readonly ended: Promise<void>;
}

/** The actions of the page; each has guards of its own in the options of the module. */
export const ACTION_NAMES = ['runJob'] as const;

export type ActionName = (typeof ACTION_NAMES)[number];
