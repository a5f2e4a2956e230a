import type { Clock, Deadline } from '@apix/contracts';
import { encoderFor } from '../encode/encoder-for.js';
import type { Encoder, LineEncoder, LineOptions } from '../encode/encoder.js';
import { encoderContext, jsonLine } from '../encode/own-line.js';
import { LineBuffer } from '../encode/line-buffer.js';
import type { TimeFormat } from '../encode/time-format.js';
import { Event } from '../event/event.js';
import { EMPTY_SCOPE } from '../event/scope.js';
import { Level } from '../levels/level.js';
import type { OpenableSink } from '../sinks/checked-spec.js';
import { lateSink } from '../sinks/late-sink.js';
import { OwnLines } from '../sinks/own-lines.js';
import type { Format, Sink } from '../sinks/sink.js';
import { parseTemplate } from '../template/parse-template.js';
import type { ErrorReporter } from './error-reporter.js';

type BuiltInSpec = OpenableSink & { readonly format: Format };

// Why: docs/decisions/0045
const DROPPED = parseTemplate(
  'logx: {Sink} dropped {Lines} lines: it could not write, or not as fast as the application logs',
);

interface OpenSink {
  readonly kind: string;
  readonly isForHumans: boolean;
  readonly sink: Sink;
  readonly minLevel: number;
  readonly maxLevel: number;
  /** The index of the encoder of its lines; -1 for a sink that takes events. */
  readonly encoder: number;
  /** Instead, if its format is one of its user. */
  readonly own: OwnLines | undefined;
}

/** Receives the events of a logger besides its sinks, for as long as it wants them. */
export interface EventFollower {
  readonly minLevel: number;
  /** Whether it takes events at any level that were kept until their work failed. */
  readonly buffered: boolean;
  take(event: Event, isBuffered: boolean): void;
}

/** Gives each event to the sinks that want it, encoded once for each different format. */
export class Dispatcher {
  #sinks: readonly OpenSink[] = [];
  #encoders: readonly LineEncoder[] = [];
  #lines: LineBuffer[] = [];
  #own: readonly OwnLines[] = [];
  #followers: readonly EventFollower[] = [];
  /** The lowest level that a follower takes; Infinity without any. */
  #followedFrom = Infinity;
  #isDispatching = false;
  #closed = false;

  constructor(
    specs: readonly OpenableSink[],
    private readonly line: LineOptions,
    private readonly timeFormat: TimeFormat | undefined,
    private readonly errors: ErrorReporter,
    private readonly clock: Clock,
  ) {
    this.#open(specs);
  }

  /** The lowest level that any sink takes. */
  get minLevel(): number {
    return this.#closed ? Infinity : Math.min(...this.#sinks.map(({ minLevel }) => minLevel));
  }

  /** @param isBuffered whether it was kept until its work failed. Default: false. */
  dispatch(event: Event, isBuffered = false): void {
    // A sink that itself logs must not overwrite the line that other sinks have yet to receive.
    const isInner = this.#isDispatching;
    const lines = isInner ? this.#newLines() : this.#lines;
    this.#isDispatching = true;
    for (let i = 0; i < lines.length; i++) lines[i]!.clear();
    const sinks = this.#sinks;
    for (let i = 0; i < sinks.length; i++) {
      const each = sinks[i]!;
      const { kind, sink, minLevel, maxLevel, encoder } = each;
      if (event.level < minLevel || event.level > maxLevel) continue;
      try {
        if (encoder < 0) giveEvent(event, each);
        else give(event, sink, this.#encoders[encoder]!, lines[encoder]!);
      } catch (error) {
        this.errors.failed(`${kind} could not write`, error);
      }
    }
    this.#isDispatching = isInner;
    if (event.level >= this.#followedFrom || isBuffered) this.#giveFollowers(event, isBuffered);
  }

  /** Gives later events to a follower, too; returns what ends that. */
  follow(follower: EventFollower): () => void {
    this.#setFollowers([...this.#followers, follower]);
    return () => this.#setFollowers(this.#followers.filter((each) => each !== follower));
  }

  #setFollowers(followers: readonly EventFollower[]): void {
    this.#followers = followers;
    this.#followedFrom = Math.min(...followers.map(({ minLevel }) => minLevel));
  }

  #giveFollowers(event: Event, isBuffered: boolean): void {
    const followers = this.#followers;
    for (let i = 0; i < followers.length; i++) this.#follow(followers[i]!, event, isBuffered);
  }

  #follow(follower: EventFollower, event: Event, isBuffered: boolean): void {
    if (event.level < follower.minLevel && !(isBuffered && follower.buffered)) return;
    try {
      follower.take(event, isBuffered);
    } catch (error) {
      this.errors.failed('a follower of the log failed', error);
    }
  }

  #newLines(): LineBuffer[] {
    return this.#encoders.map(() => new LineBuffer());
  }

  /** Flushes the sinks that can be flushed synchronously; returns the others. */
  flushSync(): readonly Sink[] {
    this.#runOwn();
    return this.#sinks.flatMap(({ kind, sink }) => {
      try {
        sink.flushSync?.();
      } catch (error) {
        this.errors.failed(`${kind} could not be flushed`, error);
      }
      return sink.flushSync === undefined && sink.flush !== undefined ? [sink] : [];
    });
  }

  async flush(deadline?: Deadline): Promise<void> {
    this.#runOwn();
    await Promise.all(
      this.#sinks.map(async ({ kind, sink }) => {
        try {
          await sink.flush?.(deadline);
        } catch (error) {
          this.errors.failed(`${kind} could not be flushed`, error);
        }
      }),
    );
  }

  /** @throws AggregateError with the failures of all sinks, or the only one. */
  async close(deadline?: Deadline): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const own of this.#own) own.close();
    const sinks = this.#sinks;
    const results = await Promise.allSettled(sinks.map(({ sink }) => closing(sink, deadline)));
    const failures = results.flatMap((result, i) =>
      result.status === 'fulfilled'
        ? []
        : [this.errors.failed(`${sinks[i]!.kind} could not be closed`, result.reason)],
    );
    if (failures.length === 1) throw failures[0]!;
    if (failures.length > 1) {
      throw new AggregateError(failures, `logx: ${failures.length} sinks could not be closed`);
    }
  }

  /**
   * Closes the sinks; later events go to standard error, unless there were no sinks.
   *
   * @throws as {@link close} does.
   */
  retire(deadline?: Deadline): Promise<void> {
    if (this.#closed || this.#sinks.length === 0) return this.close(deadline);
    const isConsole = this.#sinks.some(({ isForHumans }) => isForHumans);
    const closed = this.close(deadline);
    this.#open([lateSink(isConsole ? 'console' : 'json')]);
    return closed;
  }

  #runOwn(): void {
    for (const own of this.#own) own.run();
  }

  /** Writes how many lines a sink dropped to the sink itself, at a level that it takes. */
  #noteDrops(
    open: OpenSink,
    encoders: readonly { readonly encode: LineEncoder }[],
    ...values: [sinkName: string, lines: number]
  ): void {
    const { kind, sink, minLevel, maxLevel, encoder } = open;
    const level = Math.min(Math.max(Level.Warning, minLevel), maxLevel) as Level;
    try {
      const event = new Event(level, this.clock.now(), DROPPED, values, EMPTY_SCOPE);
      if (encoder < 0) giveEvent(event, open);
      else give(event, sink, encoders[encoder]!.encode, new LineBuffer());
    } catch (error) {
      this.errors.failed(`${kind} could not write`, error);
    }
  }

  #open(specs: readonly OpenableSink[]): void {
    const encoders = new Map<string, { index: number; encode: LineEncoder }>();
    const owns = new Map<Encoder, Map<TimeFormat | undefined, OwnLines>>();
    const opened: OpenSink[] = [];
    const indexOf = (spec: BuiltInSpec): number => {
      const time = timeFormatOf(spec, this.timeFormat);
      const { format, color = false, layout = '' } = spec;
      const key = `${format} ${color} ${time ?? ''} ${layout}`;
      const known = encoders.get(key);
      if (known !== undefined) return known.index;
      const index = encoders.size;
      encoders.set(key, { index, encode: encoderFor(spec, this.line, time) });
      return index;
    };
    const ownOf = (encoder: Encoder, spec: OpenableSink): OwnLines => {
      const time = timeFormatOf(spec, this.timeFormat);
      const byTime = owns.get(encoder) ?? new Map<TimeFormat | undefined, OwnLines>();
      const own = byTime.get(time) ?? this.#newOwn(encoder, time);
      owns.set(encoder, byTime.set(time, own));
      return own;
    };
    try {
      for (const spec of specs) {
        const at = opened.length;
        const sink = spec.open({
          clock: this.clock,
          onError: (error) => this.errors.report(error),
          onDropped: this.errors.isSilent
            ? (name, lines) => this.#noteDrops(opened[at]!, [...encoders.values()], name, lines)
            : undefined,
        });
        const { kind, format, minLevel = 0, maxLevel = Infinity } = spec;
        const takesLines = sink.emit === undefined;
        const own = takesLines && typeof format !== 'string' ? ownOf(format, spec) : undefined;
        const encoder =
          takesLines && typeof format === 'string' ? indexOf({ ...spec, format }) : -1;
        const isForHumans = kind === 'console' && format === 'console';
        opened.push({ kind, isForHumans, sink, minLevel, maxLevel, encoder, own });
      }
    } catch (error) {
      for (const byTime of owns.values()) for (const own of byTime.values()) own.close();
      for (const { sink } of opened) void closing(sink).catch(() => {});
      throw error;
    }
    this.#sinks = opened;
    this.#encoders = [...encoders.values()].map(({ encode }) => encode);
    this.#lines = this.#newLines();
    this.#own = [...owns.values()].flatMap((byTime) => [...byTime.values()]);
  }

  #newOwn(encoder: Encoder, timeFormat: TimeFormat | undefined): OwnLines {
    const { line, errors } = this;
    return new OwnLines({
      encoder,
      contextOf: encoderContext(line, timeFormat),
      instead: jsonLine(line, timeFormat),
      failed: (what, cause) => void errors.failed(what, cause),
    });
  }
}

function giveEvent(event: Event, open: OpenSink): void {
  if (open.own === undefined) open.sink.emit!(event);
  else open.own.add(event, open);
}

async function closing(sink: Sink, deadline?: Deadline): Promise<void> {
  await sink.close?.(deadline);
}

/** How times are written for the sink; undefined for the default, which every reader understands. */
function timeFormatOf(
  { timeFormat, timeFormats }: OpenableSink,
  loggers: TimeFormat | undefined,
): TimeFormat | undefined {
  const wanted = timeFormat ?? loggers;
  if (wanted === undefined || timeFormats === undefined || timeFormats.includes(wanted)) {
    return wanted;
  }
  return timeFormats[0];
}

/** Encodes the event, unless the line for another sink can be used again, and passes the line to the sink. */
function give(event: Event, sink: Sink, encoder: LineEncoder, line: LineBuffer): void {
  if (line.isEmpty) encode(event, encoder, line);
  if (line.end > 0 && sink.writeBytes !== undefined) sink.writeBytes(line.bytes, line.end, event);
  else sink.write!(line.toString(), event);
}

function encode(event: Event, encoder: LineEncoder, line: LineBuffer): void {
  if (encoder.bytes === undefined) return line.set(encoder.text(event));
  try {
    encoder.bytes(event, line);
  } catch (error) {
    line.clear();
    throw error;
  }
}
