/** A path that a template matches, made from its text and not from what the gateway parsed. */
export function samplePath(template: string): string {
  return template
    .replaceAll(/\{[^{}=]+(?:=([^{}]*))?\}/g, (_, segments: string = '*') => segments)
    .replaceAll('**', 'any/rest')
    .replaceAll('*', 'one');
}
