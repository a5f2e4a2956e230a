import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';

/** Routes, methods and jobs of the app are far fewer. */
const MOST_NAMES = 120;
const MOST_CHARACTERS = 8_192;
/** Begins of what callers show who they are by, in each of the ways they do. */
const SECRETS = /eyJ[\w-]{8}|bearer |secret/i;

/** Counts the spans of a process, and looks for what strangers must not be able to put into them. */
export class WatchedSpans implements SpanProcessor {
  open = 0;
  readonly #names = new Set<string>();
  readonly #faults = new Set<string>();

  get faults(): readonly string[] {
    return [...this.#faults];
  }

  onStart(): void {
    this.open += 1;
  }

  onEnd({ name, attributes, events }: ReadableSpan): void {
    this.open -= 1;
    if (this.#names.size < MOST_NAMES) this.#names.add(name);
    else if (!this.#names.has(name)) this.#faults.add(`one name more than ${MOST_NAMES}`);
    const all = [attributes, ...events.map((event) => event.attributes ?? {})];
    for (const [key, value] of all.flatMap((one) => Object.entries(one))) {
      const text = String(value);
      if (text.length > MOST_CHARACTERS) this.#faults.add(`${text.length} characters of ${key}`);
      if (SECRETS.test(text)) this.#faults.add(`a secret in ${key}: ${text.slice(0, 200)}`);
    }
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}
