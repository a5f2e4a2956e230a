/** The keys that some object in the JSON text has twice. The text must be valid JSON. */
export function duplicateKeys(json: string): string[] {
  const duplicates: string[] = [];
  const open: (Set<string> | undefined)[] = [];
  let text = '';
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]!;
    const keys = open.at(-1);
    if (sign === '"') {
      const end = endOfText(json, at);
      text = json.slice(at, end + 1);
      at = end;
    } else if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(undefined);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === ':') {
      const key = JSON.parse(text) as string;
      if (keys!.has(key)) duplicates.push(key);
      keys!.add(key);
    }
  }
  return duplicates;
}

function endOfText(json: string, start: number): number {
  let end = start + 1;
  while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}
