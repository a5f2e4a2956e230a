import type { HostPhase, Observer } from '@apix/hostx/core';

type Doing = 'starting' | 'restarting' | 'stopping';

/** How many services the text names. */
const MOST_NAMED = 10;

/** What the host is doing, put together from the calls of its observer. */
export class HostPicture {
  #phase: HostPhase = 'idle';
  readonly #services: Readonly<Record<Doing, Set<string>>> = {
    starting: new Set(),
    restarting: new Set(),
    stopping: new Set(),
  };

  constructor(private readonly changed: (picture: HostPicture) => void) {}

  get phase(): HostPhase {
    return this.#phase;
  }

  /** In one line, for people; of many services the first few by name. */
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
    taskStarting: ({ task }) => this.#does(`startup task ${task}`, 'starting'),
    taskDone: ({ task }) => this.#does(`startup task ${task}`, null),
    serviceStarting: ({ service }) => this.#does(service, 'starting'),
    serviceReady: ({ service }) => this.#does(service, null),
    serviceCompleted: ({ service }) => this.#does(service, null),
    serviceRestarting: ({ service }) => this.#does(service, 'restarting'),
    serviceFailed: ({ service }) => this.#does(service, null),
    // While the host runs, only a restart stops one.
    serviceStopping: ({ service }) =>
      this.#does(service, this.#phase === 'running' ? 'restarting' : 'stopping'),
    serviceStopped: ({ service }) => this.#does(service, null),
    serviceAbandoned: ({ service }) => this.#does(service, null),
  };

  #does(service: string, doing: Doing | null): void {
    for (const services of Object.values(this.#services)) services.delete(service);
    if (doing !== null) this.#services[doing].add(service);
    this.changed(this);
  }

  #waiting(phase: string, doing: Doing): string {
    const services = this.#named(doing);
    return services === '' ? phase : `${phase}: waiting for ${services}`;
  }

  #named(doing: Doing): string {
    const names = this.#services[doing];
    const shown = [...take(names, MOST_NAMED)].join(', ');
    const more = names.size - MOST_NAMED;
    return more > 0 ? `${shown} and ${more} more` : shown;
  }
}

function* take<T>(all: Iterable<T>, most: number): Iterable<T> {
  let left = most;
  for (const one of all) {
    if (left === 0) return;
    left -= 1;
    yield one;
  }
}
