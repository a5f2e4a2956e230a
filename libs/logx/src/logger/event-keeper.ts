import { unitInContext } from '../context/work.js';
import type { Event } from '../event/event.js';
import type { BufferBounds, KeptEventWriter } from '../event/event-buffer.js';
import type { LevelTree } from '../levels/level-tree.js';
import type { Level } from '../levels/level.js';
import type { BufferSettings } from './buffer-options.js';
import type { Dispatcher } from './dispatcher.js';

/** Keeps the events of a tree of loggers that are below the level, for the work under way. */
export class EventKeeper implements KeptEventWriter {
  constructor(
    private readonly settings: BufferSettings,
    private readonly levels: LevelTree,
    private readonly dispatcher: Dispatcher,
    /** Writes an event, whatever the level. */
    private readonly write: (template: string, args: unknown[]) => void,
  ) {}

  /** Whether an event of this level is kept here: there is work whose end will be known. */
  keeps(level: Level): boolean {
    return (
      level >= this.settings.level &&
      this.levels.isTaken(level) &&
      unitInContext()?.keepsEvents === true
    );
  }

  keep(event: Event): void {
    unitInContext()?.bufferFor(this.settings).add(event, this);
  }

  /** Before the process ends inside the work. */
  flush(): void {
    unitInContext()?.flushBuffer();
  }

  dispatch(event: Event): void {
    this.dispatcher.dispatch(event, true);
  }

  reportDropped(count: number, { events, bytes }: BufferBounds): void {
    this.write(
      '{Dropped} events of this work were dropped: bufferOnFailure keeps the last {Events}, and {Bytes} bytes',
      [count, events, bytes],
    );
  }
}
