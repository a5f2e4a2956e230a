import { hasBraces, parseTemplate, plainTemplate } from './parse-template.js';
import type { Template } from './template.js';

/** Serilog's bounds: a program has few templates; texts built at run time must not pile up. */
const MAX_TEMPLATES = 1000;
const MAX_LENGTH = 1024;
/** How often a full cache takes one that it did not know. */
const ADMITTED = 1 / 16;

const cache = new Map<string, Template>();

/** The parsed template, from the cache when it is there; a text without braces never is. */
export function templateOf(text: string): Template {
  const known = cached(text);
  if (known !== undefined) return known;
  if (!hasBraces(text)) return plainTemplate(text);
  const template = parseTemplate(text);
  if (text.length <= MAX_LENGTH) keep(text, template);
  return template;
}

/** The template of a call without arguments: a text, and often one that is never seen again. */
export function unfilledTemplate(text: string): Template {
  return hasBraces(text) ? parseTemplate(text) : plainTemplate(text);
}

/** The parsed template of a text that need not be one, which so is not kept. */
export function knownTemplate(text: string): Template {
  return hasBraces(text) ? (cached(text) ?? parseTemplate(text)) : plainTemplate(text);
}

/** Does not ask for a long text, to find whose hash takes as long as to parse it. */
function cached(text: string): Template | undefined {
  return text.length <= MAX_LENGTH ? cache.get(text) : undefined;
}

/** Texts made at run time neither drive out templates that are in use nor cost what keeping does. */
// Why: docs/decisions/0303
function keep(text: string, template: Template): void {
  if (cache.size >= MAX_TEMPLATES) {
    if (Math.random() >= ADMITTED) return;
    const { value: oldest } = cache.keys().next();
    if (oldest !== undefined) cache.delete(oldest);
  }
  cache.set(text, template);
}
