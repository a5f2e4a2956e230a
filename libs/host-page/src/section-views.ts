/** An entry that is kept for a while, numbered from 1 in order of arrival. */
export type Numbered<T> = T & { readonly id: number };

/** The data of each tab, by the id of the tab. */
export interface SectionViews {
  readonly overview: OverviewView;
  readonly logs: LogsView;
  readonly traces: TracesView;
  readonly policies: PoliciesView;
  readonly call: CallView;
  readonly jobs: JobsView;
  readonly processes: ProcessesView;
}

export type SectionId = keyof SectionViews;

export interface OverviewView {
  readonly services: readonly ServiceView[];
  /** Whether some viewers may restart a service. */
  readonly restartable: boolean;
  readonly figures: readonly FigureView[];
  /** Absent while it has not changed since the last message, and in an app in which nothing knows of requests. */
  readonly routes?: RoutesView | undefined;
}

/** What was counted of requests and calls in the last moments of equal length that are over. */
export interface RoutesView {
  /** When the newest of these moments ended. */
  readonly at: number;
  readonly momentMs: number;
  /** How many moments are kept at most. */
  readonly moments: number;
  /** Those with most failures and the busiest, by name. */
  readonly routes: readonly RouteRow[];
  /** All others as one. */
  readonly rest: RouteRow;
}

/** The figures of a route or method in each moment, the oldest first. */
export interface RouteRow {
  /** Such as `GET /orders/:id`, or the full name of an RPC. */
  readonly name: string;
  readonly calls: readonly number[];
  /** How many of them failed because of the server. */
  readonly failed: readonly number[];
  /** How many of them were refused, because of the caller. */
  readonly refused: readonly number[];
  /** How long all of them took together, in milliseconds. */
  readonly totalMs: readonly number[];
  readonly longestMs: readonly number[];
}

export interface LogsView {
  /** All kept events, or those that are new. */
  readonly records: readonly Numbered<LogRow>[];
  /** How many events were too many to be read, since the process started. */
  readonly leftOut: number;
  /** How many events are kept at most. */
  readonly keeps: number;
  /** The kept traces to which kept events belong. */
  readonly traces: readonly LoggedTrace[];
  /** The minimum levels that were changed for a while. */
  readonly levels: readonly LevelView[];
  /** Whether some viewers may change levels. */
  readonly changeable: boolean;
}

/** A kept trace, and the ids of the kept events that belong to it. */
export interface LoggedTrace extends Pick<TraceRow, 'id' | 'name'> {
  readonly records: readonly number[];
}

/** A minimum level that applies for a while. */
export interface LevelView {
  /** Null: that of all loggers. */
  readonly logger: string | null;
  readonly level: string;
  /** Null: without an end. */
  readonly until: number | null;
}

/** An event of the app's log. */
export interface LogRow {
  readonly at: number;
  /** Such as `warn`. */
  readonly level: string;
  /** These three are empty without one. */
  readonly logger: string;
  readonly requestId: string;
  readonly traceId: string;
  readonly message: string;
  readonly error: string | null;
  /** As JSON, cut where it is long; empty without fields. */
  readonly fields: string;
}

export interface TracesView {
  readonly traces: readonly TraceRow[];
  /** By the id of a trace, how many events its log has; none for those without. */
  readonly logged: Readonly<Record<string, number>>;
}

/** The methods are requested as `call/methods`, and requests of one as `call/samples?method=`. */
export interface CallView {
  /** How many methods there are. */
  readonly count: number;
}

/** The response of `call/methods`. */
export type CallMethods = readonly CallableMethod[];

export interface CallableMethod {
  readonly method: string;
  readonly kind: 'unary' | 'server_stream' | 'client_stream' | 'bidi_stream';
}

/** The response of `call/samples`: a request for each way to call the method. */
export type CallSamples = readonly CallSample[];

export interface CallSample {
  readonly protocol: 'rest' | 'connect' | 'grpc-web';
  readonly httpMethod: string;
  /** Path and query, as the app's server has them. */
  readonly target: string;
  /** JSON, to be read by people; null for a request without a body. */
  readonly body: string | null;
}

/** The matrix of the policies is requested as `policies/matrix`, and a caller is explained by `policies/explain`. */
export interface PoliciesView {
  /** All kept decisions, or those that are new. */
  readonly decisions: readonly Numbered<DecisionRow>[];
  /** How many decisions were too many to be read. */
  readonly leftOut: number;
  /** How many decisions are kept at most. */
  readonly keeps: number;
  /** Since the process started, the most first. */
  readonly denials: readonly { readonly method: string; readonly count: number }[];
}

/** A decision about a call. */
export interface DecisionRow {
  readonly at: number;
  readonly method: string;
  /** Such as `grpc`. */
  readonly door: string;
  /** Such as `denied`; `shadowed` for a call that went through although it was denied. */
  readonly outcome: 'allowed' | 'denied' | 'shadowed';
  /** Such as `roles`, or `condition owner`. */
  readonly reason: string;
  /** Empty where the caller is not known. */
  readonly caller: string;
}

/** The response of `policies/matrix`. */
export interface PolicyMatrix {
  /** The heads of the columns, such as `anonymous` and `role admin`. */
  readonly callers: readonly string[];
  /** How many roles and permissions have no column. */
  readonly leftOut: number;
  readonly methods: readonly PolicyRow[];
  readonly fields: readonly { readonly field: string; readonly who: string }[];
}

/** A method, who may call it in words, and what each column may: `+`, `-`, or `?` where the request decides. */
export interface PolicyRow {
  readonly method: string;
  readonly who: string;
  readonly access: string;
}

/** The response of `policies/explain`. */
export interface PolicyExplanation {
  readonly method: string;
  readonly verdict: string;
  readonly outcome: 'allowed' | 'denied' | 'undecided';
  readonly findings: readonly { readonly mark: '+' | '-' | '?'; readonly text: string }[];
}

export interface JobsView {
  readonly jobs: readonly JobRow[];
  /** Whether some viewers may run jobs now. */
  readonly runnable: boolean;
}

export interface ProcessesView {
  readonly processes: readonly ProcessRow[];
  /** Whether some viewers may have all processes replaced. */
  readonly restartable: boolean;
}

export interface ServiceView {
  readonly name: string;
  /** A `ServiceState`. */
  readonly state: string;
  readonly since: number;
  /** After failures. */
  readonly restarts: number;
  /** Those that somebody asked for. */
  readonly askedRestarts: number;
  /** Whether it is a service that can be restarted by itself. */
  readonly canRestart: boolean;
  readonly lastError?: string | undefined;
}

/** One of the processes of an app, or its place while there is none. Its memory is in bytes. */
export interface ProcessRow {
  readonly index: number;
  readonly pid: number | null;
  readonly state: 'starting' | 'ready' | 'stopping' | 'ended';
  readonly since: number;
  readonly restarts: number;
  readonly lastEnd: string | null;
  readonly rss: number | null;
}

/** A job of a job source, with times as numbers. */
export interface JobRow {
  readonly name: string;
  readonly schedule: string;
  readonly phase: 'stopped' | 'paused' | 'waiting' | 'running';
  readonly next: number | null;
  readonly lastStart: number | null;
  readonly lastDurationMs: number | null;
  readonly lastOutcome: string | null;
  readonly lastError: string | null;
  readonly runs: number;
  readonly failures: number;
}

/** One reading of a metric source. */
export interface FigureView {
  readonly name: string;
  readonly attributes: string;
  /** Null for a value that is not finite. */
  readonly value: number | null;
  readonly unit: string;
  readonly description: string;
}

/** The summary of a trace of a trace source. Its spans are requested by `id`: `traces/<id>`, next to the stream. */
export interface TraceRow {
  readonly id: string;
  readonly traceId: string;
  readonly name: string;
  /** Such as `server`. */
  readonly kind: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly failed: boolean;
  /** Whether the caller is to blame, as with a 4xx. */
  readonly refused: boolean;
  readonly error: string | null;
  readonly spanCount: number;
}

/** The response of `traces/<id>`: the first span is the one that the trace began with. */
export interface TraceView extends TraceRow {
  readonly spans: readonly SpanRow[];
  /** Spans that were not kept. */
  readonly leftOut: number;
  /** Null for an app whose log is not followed. */
  readonly log: TraceLogView | null;
}

/** The kept events of a trace, in the order of their times. */
export interface TraceLogView {
  readonly records: readonly Numbered<LogRow>[];
  readonly gap: LogGap | null;
}

/**
 * Why events of a trace may be missing: nobody looked when it ran, and only warnings, errors and buffered events were
 * read; there were too many to read or to show; or later ones have taken their places.
 */
export type LogGap = 'unwatched' | 'flood' | 'replaced';

/** A span of a trace. */
export interface SpanRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  /** Such as `client`. */
  readonly kind: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: 'unset' | 'ok' | 'error';
  readonly message: string | null;
  readonly attributes: Readonly<Record<string, string>>;
}
