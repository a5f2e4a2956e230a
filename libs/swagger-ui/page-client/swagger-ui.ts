/** What the page uses of Swagger UI, which has no types of its own. */
export interface System {
  readonly React: React;
  readonly specActions: {
    setResponse(path: string, method: string, response: CallResponse): void;
    updateUrl(url: string): void;
    download(url: string): void;
  };
  readonly getComponent: (name: string, container?: boolean) => Component;
}

/** An element of React; nobody looks into it. */
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
}

/** An answer as Swagger UI keeps it. */
export interface CallResponse {
  readonly ok: boolean;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Called by Swagger UI with its system once that is made. */
export type Plugin = (system: System) => object;

declare global {
  var SwaggerUIBundle: ((options: Props) => unknown) & {
    readonly presets: { readonly apis: unknown };
    readonly plugins: { readonly DownloadUrl: unknown };
  };
}
