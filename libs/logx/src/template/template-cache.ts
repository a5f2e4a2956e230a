import { parseTemplate } from './parse-template.js';
import type { Template } from './template.js';

/** Serilog's bounds: a program has few templates; texts built at run time must not pile up. */
const MAX_TEMPLATES = 1000;
const MAX_LENGTH = 1024;

const cache = new Map<string, Template>();

/** The parsed template, from the cache when it is there; what is too long is parsed each time. */
export function templateOf(text: string): Template {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const template = parseTemplate(text);
  if (text.length <= MAX_LENGTH) {
    if (cache.size >= MAX_TEMPLATES) cache.clear();
    cache.set(text, template);
  }
  return template;
}

/** The parsed template of a text that need not be one, which so is not kept. */
export function knownTemplate(text: string): Template {
  return cache.get(text) ?? parseTemplate(text);
}
