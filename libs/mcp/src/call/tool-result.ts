import { problemOf } from '@apix/calls';
import { codeName, type StatusDetail, StatusError } from '@apix/contracts';
import { JsonCodec } from '@apix/proto/core';
import { type Registry, create } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { WRAPPED_MEMBER } from '../schema/tool-schema.js';
import { cleanText } from '../tools/tool-text.js';
import type { Tool } from '../tools/tool.js';
import type { ToolOutcome } from './tool-call.js';

/** The longest text of an error, in UTF-16 units. */
const LONGEST_ERROR = 4_096;

/** Writes what a client gets of a call, as JSON. */
export class ToolResults {
  readonly #codec: JsonCodec;

  constructor(registry: Registry) {
    this.#codec = new JsonCodec(registry);
  }

  /**
   * The answer of a unary method as text and as data; of a stream, the last answers as texts, and the very last as data.
   * A failure has the name of its status, its message and its details as texts, after the answers before it.
   */
  resultOf(tool: Tool, { answers, omitted, failure }: ToolOutcome): string {
    const texts = answers.map((json) => json.toString());
    if (omitted > 0) texts.unshift(`${omitted} earlier answers were left out.`);
    if (failure !== undefined) {
      const content = contentOf([...texts, ...this.#failureTexts(failure)]);
      return `{"content":${content},"isError":true}`;
    }
    const structured = structuredOf(tool, answers.length === 0 ? undefined : texts.at(-1));
    if (answers.length === 0) texts.push(structured);
    return `{"content":${contentOf(texts)},"structuredContent":${structured}}`;
  }

  #failureTexts({ code, message, details }: StatusError): string[] {
    const text = cleanText(`${codeName(code)}: ${message}`, LONGEST_ERROR);
    if (details.length === 0) return [text];
    const shown = new StatusError(code, cleanText(message, LONGEST_ERROR), { details });
    const problem = problemOf(shown, { renderDetail: (detail) => this.#detail(detail) });
    return [text, cleanText(JSON.stringify(problem), 4 * LONGEST_ERROR)];
  }

  /** A packed message without what is not to be shown; undefined for a type that is not known. */
  #detail({ typeUrl, value }: StatusDetail): Record<string, unknown> | undefined {
    try {
      const any = create(AnySchema, { typeUrl, value });
      return this.#codec.toShownValue(AnySchema, any) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  }
}

/** An answer as an object; a stream may end without one. */
function structuredOf({ wrapsOutput }: Tool, json: string | undefined): string {
  if (json === undefined) return '{}';
  return wrapsOutput ? `{"${WRAPPED_MEMBER}":${json}}` : json;
}

function contentOf(texts: readonly string[]): string {
  const parts = texts.map((text) => `{"type":"text","text":${JSON.stringify(text)}}`);
  return `[${parts.join(',')}]`;
}
