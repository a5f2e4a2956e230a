/** What to write instead, by the code of a fault; the rest is said well enough by the parser. */
const PLAIN: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS:
    'a second document begins here, and only one is read; remove the line "---", or move the rest to another file',
  BLOCK_AS_IMPLICIT_KEY:
    'a key and ":" inside a value; put a value with ": " in quotes, or correct the indentation',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line; correct the indentation',
  TAG_RESOLVE_FAILED:
    'tags such as !secret are not supported; put a value that begins with "!" in quotes',
  BAD_SCALAR_START: 'a value that begins with "@", "`" or "%" must be in quotes',
  TAB_AS_INDENT: 'tabs are not allowed as indentation; use spaces',
};

/** A fault of the `yaml` package, with pretty errors or without. */
export interface YamlFault {
  readonly code: string;
  readonly message: string;
}

/**
 * Says a fault of a YAML file for those who wrote the file: the parser's own words are about its API or about
 * grammar. Without the lines of the file, which may have secrets; with the place where the message has it.
 */
export function yamlFaultText({ code, message }: YamlFault): string {
  const [line = ''] = message.split('\n');
  const place = / at line \d+, column \d+(?=:?$)/.exec(line);
  if (place === null) return PLAIN[code] ?? line;
  return (PLAIN[code] ?? line.slice(0, place.index)) + place[0];
}
