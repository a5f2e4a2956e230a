import type { Host } from '@apix/hostx/core';

/** The orders of the service control manager, kept until there is a host that can carry them out. */
export class HeldOrders {
  #host: Pick<Host, 'shutdown' | 'reload'> | null = null;
  #stopReason: string | null = null;
  #isReloadDue = false;

  /** @param report called with the error of a reload */
  constructor(private readonly report: (error: unknown) => void) {}

  stop(reason: string): void {
    this.#stopReason ??= reason;
    this.#host?.shutdown(reason);
  }

  reload(): void {
    if (this.#host === null) this.#isReloadDue = true;
    else this.#host.reload().catch(this.report);
  }

  /** Passes on what has come, to a host that is about to run. */
  passTo(host: Pick<Host, 'shutdown' | 'reload'>): void {
    this.#host = host;
    if (this.#stopReason !== null) host.shutdown(this.#stopReason);
    else if (this.#isReloadDue) this.reload();
  }
}
