import { choice, type Option } from '@apix/contracts/internal';
import { Level } from '../levels/level.js';
import { type Levels, LevelTree } from '../levels/level-tree.js';

/** The contexts of Nest that write a line for each module, controller, route and subscription. */
const CONTEXTS: ReadonlySet<string | undefined> = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
]);

/** The contexts whose lines say that the app has started; those of the wiring are over by then. */
const STARTED: ReadonlySet<string | undefined> = new Set(['NestApplication', 'NestMicroservice']);

const WIRING_LEVELS = ['debug', 'information'] as const;

/** The level of the lines in which Nest reports each module and route. */
export type WiringLevel = (typeof WIRING_LEVELS)[number];

/** The option for the level of these lines. */
export const WIRING: Option<WiringLevel> = choice(WIRING_LEVELS);

/** Decides the level of Nest's lines about its modules and routes, and counts those that are not written. */
// Why: docs/decisions/0549
export class NestWiring {
  #hidden = 0;

  constructor(
    private readonly levels: Levels,
    private readonly level: WiringLevel,
  ) {}

  /** The level of a line of Nest's level `log`. A context that has a level of its own keeps its lines. */
  levelOf(context: string | undefined): Level {
    return this.level === 'debug' && CONTEXTS.has(context) && !this.#isNamed(context!)
      ? Level.Debug
      : Level.Information;
  }

  /** Counts a line that would have been written at level information. */
  hide(): void {
    this.#hidden++;
  }

  /** The lines to report before a line of this context: all that were hidden so far if the app has started. */
  takeBefore(context: string | undefined): number {
    return this.#hidden > 0 && STARTED.has(context) ? this.take() : 0;
  }

  /** The lines that were hidden since the last call. */
  take(): number {
    const hidden = this.#hidden;
    this.#hidden = 0;
    return hidden;
  }

  #isNamed(context: string): boolean {
    return this.levels instanceof LevelTree && this.levels.hasLevelOf(context);
  }
}
