import type { PathTemplate } from '../../template/path-template.js';
import type { PathParameter } from '../paths.js';
import type { Samples } from './samples.js';

/**
 * The sample of a path parameter: the sample of the field that it sets, or the part of it that the
 * parameter represents. If there is neither, the name of the parameter.
 */
export function pathSample(
  { name, variable, whole, index }: PathParameter,
  template: PathTemplate,
  samples: Samples,
): string {
  const leaf = variable?.fields.at(-1);
  const text = leaf === undefined ? undefined : samples.asText(leaf);
  if (variable === undefined || text === undefined || text === '') return name;
  if (whole) return text.includes('/') ? name : text;
  const { start, end } = variable.variable;
  const segments = template.segments.slice(start, end);
  const parts = text.split('/');
  const isOfShape =
    parts.length === segments.length &&
    segments.every((segment, at) => segment.kind !== 'literal' || segment.text === parts[at]);
  return (isOfShape ? parts[index - start] : undefined) ?? name;
}
