/** The part of Swagger UI that the page uses; Swagger UI has no types. */
export interface System {
  readonly React: React;
  readonly specActions: {
    setResponse(path: string, method: string, response: CallResponse): void;
    updateUrl(url: string): void;
    download(url: string): void;
  };
  readonly getComponent: (name: string, container?: boolean) => Component;
}

/** An element of React, which is opaque here. */
export type Element = object | string | null | false;
export type Props = Readonly<Record<string, unknown>>;
export type Component = (props: Props) => Element;

export interface React {
  readonly createElement: (
    type: Component | string,
    props: Props | null,
    ...children: Element[]
  ) => Element;
  useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, read: () => T): T;
}

/** A call that "Execute" makes. */
export interface CallRequest {
  readonly pathName: string;
  readonly method: string;
  readonly userFetch?: typeof fetch;
  /** The document, as far as it is read here. */
  readonly spec?: { readonly paths?: Readonly<Record<string, PathItem>> };
}

type PathItem = Readonly<Record<string, { readonly parameters?: readonly CallParameter[] }>>;

export interface CallParameter {
  readonly name: string;
  readonly 'x-several-segments'?: boolean;
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
