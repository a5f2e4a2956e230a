import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What of an event the bed looks at. */
export interface Event {
  readonly RequestId?: string;
  readonly Path?: string;
  readonly Status?: number;
  readonly code?: string;
  readonly '@mt'?: string;
}

/** How long an event may take to be written, and how long a second one may lag behind. */
const PATIENCE_MS = 1_000;
const LAG_MS = 50;
/** The file into which a process under attack writes its events. */
export class LogFile {
  private at = 0;
  private rest = '';
  private readonly events: Event[] = [];
  /** Lines that are not one event. */
  readonly bad: string[] = [];

  constructor(readonly path: string) {
    writeFileSync(path, '');
  }

  /** The events of requests with this id; waits until there is one. */
  async of(id: string): Promise<readonly Event[]> {
    const find = (): Event[] => {
      this.read();
      return this.events.filter(({ RequestId }) => RequestId === id);
    };
    const end = performance.now() + PATIENCE_MS;
    while (find().length === 0 && performance.now() < end) await sleep(LAG_MS);
    await sleep(LAG_MS);
    return find();
  }

  /** How many warnings of one connection have come since the bed last forgot; waits for the first. */
  async endedConnections(): Promise<number> {
    const count = (): number => {
      this.read();
      return this.events.filter((event) => event['@mt']?.startsWith('ended the connection')).length;
    };
    const end = performance.now() + PATIENCE_MS;
    while (count() === 0 && performance.now() < end) await sleep(LAG_MS);
    return count();
  }

  /** Reads what is new, and forgets all events but those of the requests under way. */
  forget(): void {
    this.read();
    this.events.length = 0;
  }

  /** Reads what is new. */
  read(): void {
    const file = openSync(this.path, 'r');
    const chunk = Buffer.alloc(2 ** 20);
    for (let size = 1; size > 0;) {
      size = readSync(file, chunk, 0, chunk.length, this.at);
      this.at += size;
      this.rest += chunk.toString('latin1', 0, size);
    }
    closeSync(file);
    const lines = this.rest.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.take(Buffer.from(line, 'latin1').toString());
  }

  private take(line: string): void {
    try {
      this.events.push(JSON.parse(line) as Event);
    } catch (error) {
      this.bad.push(`${String(error)}: ${JSON.stringify(line.slice(0, 600))}`);
    }
  }
}
