import type { JsonSchema } from '@apix/proto/internal';

/** An OpenAPI 3.1 document, as far as the gateway writes it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: OpenApiInfo;
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
  };
}

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Who may call it in words, as `apix-authz report` has it. */
  readonly 'x-who-may-call'?: string;
  /** Programs that call it by other protocols; several viewers show them, by this name. */
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface CodeSample {
  /** The language, for its colours, such as `Shell`. */
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: true;
  readonly description?: string;
  readonly deprecated?: true;
  /** A value in a path may hold slashes, as they are; which the docs page of `@apix/swagger-ui` observes. */
  readonly 'x-several-segments'?: true;
  readonly schema?: JsonSchema;
  /** The empty value is one that says something. */
  readonly allowEmptyValue?: true;
  /** A value that the server takes; of parameters that must be given. */
  readonly example?: unknown;
  /** In place of `schema` and `example`: the value is text of this media type. */
  readonly content?: Readonly<Record<string, ParameterContent>>;
}

export interface ParameterContent {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
