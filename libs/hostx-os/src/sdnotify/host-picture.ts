import type { HostPhase, Observer } from '@apix/hostx/core';

type Doing = 'starting' | 'restarting' | 'stopping';

/** What the host is doing, put together from what its observer is told. */
export class HostPicture {
  #phase: HostPhase = 'idle';
  readonly #services = new Map<string, Doing>();

  constructor(private readonly changed: (picture: HostPicture) => void) {}

  get phase(): HostPhase {
    return this.#phase;
  }

  /** In one line, for people. */
  get text(): string {
    switch (this.#phase) {
      case 'starting':
        return this.#waiting('starting', 'starting');
      case 'running': {
        const restarting = this.#named('restarting');
        return restarting === '' ? 'running' : `running, but restarting ${restarting}`;
      }
      case 'stopping':
        return this.#waiting('stopping', 'stopping');
      case 'idle':
      case 'stopped':
        return this.#phase;
    }
  }

  readonly observer: Observer = {
    hostPhaseChanged: ({ to }) => {
      this.#phase = to;
      this.changed(this);
    },
    serviceStarting: ({ service }) => this.#does(service, 'starting'),
    serviceReady: ({ service }) => this.#does(service, null),
    serviceRestarting: ({ service }) => this.#does(service, 'restarting'),
    serviceFailed: ({ service }) => this.#does(service, null),
    serviceStopping: ({ service }) => this.#does(service, 'stopping'),
    serviceStopped: ({ service }) => this.#does(service, null),
    serviceAbandoned: ({ service }) => this.#does(service, null),
  };

  #does(service: string, doing: Doing | null): void {
    if (doing === null) this.#services.delete(service);
    else this.#services.set(service, doing);
    this.changed(this);
  }

  #waiting(phase: string, doing: Doing): string {
    const services = this.#named(doing);
    return services === '' ? phase : `${phase}: waiting for ${services}`;
  }

  #named(doing: Doing): string {
    return [...this.#services].flatMap(([name, does]) => (does === doing ? [name] : [])).join(', ');
  }
}
