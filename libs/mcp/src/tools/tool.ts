import { fullMethodName, type ProtoRegistry } from '@apix/proto/core';
import { isWrapped, toolSchemaOf } from '../schema/tool-schema.js';
import type { ToolDescription } from './tool-options.js';

/** A method as a tool, ready to be listed and called. */
export interface Tool extends ToolDescription {
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Whether arguments are the member of an object, because their JSON is not one. */
  readonly wrapsInput: boolean;
  /** Whether the answer is. */
  readonly wrapsOutput: boolean;
  /** The entry of the list of tools, as JSON. */
  readonly listing: string;
}

export function toolOf(description: ToolDescription, protos: ProtoRegistry): Tool {
  const { name, title, hints, method, description: text } = description;
  const { input, output } = toolSchemaOf(method, protos);
  const listing = JSON.stringify({
    name,
    title,
    description: text,
    inputSchema: input,
    outputSchema: output,
    annotations: Object.keys(hints).length > 0 ? hints : undefined,
  });
  return {
    ...description,
    path: fullMethodName(method),
    wrapsInput: isWrapped(method.input),
    wrapsOutput: isWrapped(method.output),
    listing,
  };
}
