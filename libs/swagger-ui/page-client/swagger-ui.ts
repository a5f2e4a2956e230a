import type { CodeSample } from './code-samples.js';

/** The part of Swagger UI that the page uses; Swagger UI has no types. */
export interface System {
  readonly React: React;
  readonly specActions: {
    setResponse(path: string, method: string, response: CallResponse): void;
    updateUrl(url: string): void;
    download(url: string): void;
  };
  readonly specSelectors: {
    /** The document; `specResolvedSubtree` has its references resolved, once the operation has been opened. */
    specJson(): Stored;
    specResolvedSubtree(path: readonly string[]): { toJS(): unknown } | undefined;
    /** By `in.name`. */
    parameterValues(operation: readonly string[]): { toJS(): Readonly<Record<string, unknown>> };
    /** Of the document. */
    url(): string;
  };
  readonly oas3Selectors: {
    selectedServer(operation?: string): string | null | undefined;
    requestContentType(path: string, method: string): string | null | undefined;
    responseContentType(path: string, method: string): string | null | undefined;
    /** The text that was entered, null for none; fields of a form are not a text. */
    requestBodyValue(path: string, method: string): unknown;
  };
  readonly fn: {
    /** @throws if a required parameter has no value. */
    buildRequest(call: Props): BuiltRequest;
    getSampleSchema(schema: unknown, mediaType: string, options: Props): string;
    opId(operation: DescribedOperation, path: string, method: string): string;
  };
  readonly getStore: () => { subscribe(changed: () => void): () => void };
  readonly getComponent: (name: string, container?: boolean) => Component;
}

/** An element of React, which is opaque here. */
export type Element = object | string | null | false;
export type Props = Readonly<Record<string, unknown>>;
export type Component = (props: Props) => Element;

export interface React {
  readonly Fragment: Component;
  readonly createElement: (
    type: Component | string,
    props: Props | null,
    ...children: Element[]
  ) => Element;
  useState<T>(first: T): readonly [T, (next: T) => void];
  useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, read: () => T): T;
}

/** A value of Immutable. */
interface Stored {
  getIn(path: readonly string[]): unknown;
}

/** A call that "Execute" makes. */
export interface CallRequest {
  readonly pathName: string;
  readonly method: string;
  readonly userFetch?: typeof fetch;
  /** The document, as far as it is read here. */
  readonly spec?: { readonly paths?: Readonly<Record<string, PathItem>> };
}

type PathItem = Readonly<Record<string, DescribedOperation>>;

/** An operation of a document of OpenAPI, as far as it is read here. */
export interface DescribedOperation {
  readonly operationId?: string;
  readonly parameters?: readonly CallParameter[];
  readonly requestBody?: { readonly content?: Contents };
  readonly responses?: Readonly<Record<string, { readonly content?: Contents }>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-who-may-call'?: string;
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

/** By media type. */
type Contents = Readonly<Record<string, { readonly schema?: unknown; readonly example?: unknown }>>;

export interface CallParameter {
  readonly name: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: { readonly default?: unknown };
  readonly 'x-several-segments'?: boolean;
}

export interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
  readonly name?: string;
  readonly in?: string;
}

/** A request as Swagger UI would send it. */
export interface BuiltRequest {
  url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A response as Swagger UI stores it. */
export interface CallResponse {
  readonly ok: boolean;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Swagger UI calls it with its system when that has been created. */
export type Plugin = (system: System) => object;

declare global {
  var SwaggerUIBundle: ((options: Props) => unknown) & {
    readonly presets: { readonly apis: unknown };
    readonly plugins: { readonly DownloadUrl: unknown };
  };
}
