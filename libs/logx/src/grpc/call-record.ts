import { type CallMethod, type CallOutcome, codeName, type StagedCall } from '@apix/contracts';
import { isReadableError } from '@apix/contracts/internal';
import { runWork } from '../context/logger-context.js';
import type { ContextSubject, WorkName } from '../context/work.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { type CodeName, levelOfCode } from '../request/code-level.js';
import type { FoundFields } from '../request/found-fields.js';
import { headerFields } from '../request/header-fields.js';
import { levelOf } from '../request/level-rules.js';
import { type OwnFields, RequestRecord } from '../request/request-record.js';
import type { RequestSampler } from '../request/request-sampler.js';
import { changedMembers } from '../value/changed-members.js';
import { grpcFields } from './grpc-fields.js';
import type { GrpcLogSettings } from './grpc-options.js';

/** The service that reports the health of a server. */
export const HEALTH_SERVICE = 'grpc.health.v1.Health';

/** The parts that all calls of a method share. */
export interface GrpcLogParts {
  readonly logger: Logger;
  readonly method: CallMethod;
  readonly settings: GrpcLogSettings;
  readonly sampler: RequestSampler;
}

/** A gRPC call under way. */
export class CallRecord extends RequestRecord {
  constructor(
    private readonly parts: GrpcLogParts,
    private readonly call: StagedCall,
    own: OwnFields,
  ) {
    super(parts.logger, own);
  }

  override get subject(): ContextSubject {
    return { call: this.call };
  }

  protected override get named(): WorkName {
    return { kind: 'grpc', name: this.parts.method.fullName };
  }

  /** Whether it is the record of the call itself, and not only of the one that the call was made in. */
  isOf(call: StagedCall): boolean {
    return this.call === call;
  }

  /** Writes the event. */
  end(outcome: CallOutcome): void {
    if (this.dependsOnWork) runWork(this, () => this.#end(outcome));
    else this.#end(outcome);
  }

  #end({ code, message, error: reported }: CallOutcome): void {
    const { durationMs, failure, handler } = this;
    const { fullName } = this.parts.method;
    const name = codeName(code) as CodeName;
    const usual = levelOfCode(code);
    if (this.keepsEvents) {
      const hasFailed = usual === Level.Error || failure?.isPanic === true;
      this.settle({ hasFailed, durationMs, isStream: () => this.#isStream });
    }
    const error = failure?.error ?? reported;
    const level = this.#levelOf(name, { durationMs, error, level: usual });
    const isError = usual === Level.Error && failure?.reported !== true;
    if (level === 'off' || !isError) this.reportPanic();
    if (level === 'off' || !this.isEnabled(level)) return;
    const isFailure = usual > Level.Information || error !== undefined;
    const standsFor = isFailure ? undefined : this.#standsFor(level, durationMs);
    if (standsFor === 0) return;
    const { peer, metadata } = this.call;
    const remote = peer.address || undefined;
    const userAgent = metadata.get('user-agent')[0];
    const known = grpcFields([fullName, name, durationMs, remote, handler, userAgent, standsFor]);
    this.writeOwn({
      level,
      known,
      args: [fullName, name],
      others: this.#moreFields(),
      error: isError ? (error ?? { message: message || name }) : undefined,
      withStack: isError && isReadableError(error),
    });
  }

  get #isStream(): boolean {
    return this.parts.method.kind !== 'unary';
  }

  #levelOf(
    code: CodeName,
    ended: { readonly durationMs: number; readonly error: unknown; readonly level: Level },
  ): Level | 'off' {
    const { method, settings } = this.parts;
    const isProbe = this.isProbe || method.service === HEALTH_SERVICE;
    const { durationMs, error, level } = ended;
    // Most apps have no rules, and skip their cost.
    if (settings.rules.isPlain && !isProbe && this.routeLevel === undefined) return level;
    const { call, handler } = this;
    return levelOf(settings.rules, {
      record: this,
      isProbe,
      isStream: this.#isStream,
      outcome: { call, method: method.fullName, code, durationMs, handler, error, level },
    });
  }

  /** Undefined for a call whose event is written independently of `sample`. */
  #standsFor(level: Level, durationMs: number): number | undefined {
    const { sampler, method } = this.parts;
    if (sampler.isIdle && this.routeSample === undefined) return undefined;
    if (level > Level.Information) return undefined;
    return sampler.standsFor({
      record: this,
      handler: method.fullName,
      route: () => this.handler,
      durationMs,
      isStream: () => this.#isStream,
    });
  }

  /** The fields that few calls have: those found or added by the app, and metadata. */
  #moreFields(): FoundFields | undefined {
    const { fields, requestMetadata } = this.parts.settings;
    if (fields === undefined && requestMetadata === undefined) return this.extra;
    const { metadata } = this.call;
    return {
      request_metadata:
        requestMetadata &&
        headerFields(
          requestMetadata,
          () => metadata.keys(),
          (key) => oneOrAll(metadata.get(key)),
        ),
      ...changedMembers(this.found, fields?.(this.call)),
      ...this.extra,
    };
  }
}

function oneOrAll(values: readonly string[]): unknown {
  return values.length > 1 ? values : values[0];
}
