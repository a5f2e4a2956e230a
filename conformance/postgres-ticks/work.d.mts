/** The work of a tick, the same for all subjects: it takes a while, and everything of it is written down. */
export function work(
  journal: string,
  about: { readonly job: string; readonly tick: number },
): Promise<void>;
