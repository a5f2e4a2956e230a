import { TextCache } from '@apix/contracts';
import { hasBraces, parseTemplate, plainTemplate } from './parse-template.js';
import type { Template } from './template.js';

/** Serilog's bounds. */
const cache = new TextCache<Template>({ size: 1_000, textLength: 1_024 });

/** The parsed template, from the cache if it is there; a text without braces is never cached. */
export function templateOf(text: string): Template {
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (!hasBraces(text)) return plainTemplate(text);
  const template = parseTemplate(text);
  cache.keep(text, template);
  return template;
}

/** The parsed template of a text that may not be a template, and is therefore not cached. */
export function knownTemplate(text: string): Template {
  return hasBraces(text) ? (cache.get(text) ?? parseTemplate(text)) : plainTemplate(text);
}
