/** The characters that end a connection string inside of other text. */
const END = /[\s"'<>`]/g;
/** A port in place of a password, or the hole of a template, whose value is a field. */
const NO_PASSWORD = /\d{1,5}(?:[/?#,]|$)|\{/y;

/** `Password=…` of ADO, ODBC, libpq and JDBC, the keys of Azure, and such parts of a query. */
const PAIRS =
  /\b((?:password|passwd|pwd|passphrase|secret|client_secret|accountkey|sharedaccesskey|sharedaccesssignature|access_token|api_key|apikey)\s{0,2}=\s{0,2})(?!\{)(?:"[^"]*"|'[^']*'|[^\s;&,"'<>]+)/gi;

/**
 * A text without the passwords of the connection strings in it: `postgres://shop:…@db/orders`,
 * `Server=db;Password=…;`. Takes linear time. A password that is not escaped as required is hidden
 * completely, and so may be text after it: up to the last `@` before the next blank.
 */
export function hideInConnectionStrings(text: string, censor: string): string {
  const plain = text.includes('://') ? hideInUrls(text, censor) : text;
  return plain.includes('=') ? plain.replaceAll(PAIRS, (_, key: string) => key + censor) : plain;
}

function hideInUrls(text: string, censor: string): string {
  let shown = '';
  let from = 0;
  let scheme = text.indexOf('://');
  while (scheme >= 0) {
    const begin = scheme + 3;
    END.lastIndex = begin;
    const end = END.exec(text)?.index ?? text.length;
    const secret = secretIn(text.slice(begin, end));
    if (secret !== undefined) {
      shown += text.slice(from, begin + secret.from) + censor;
      from = begin + secret.to;
    }
    scheme = text.indexOf('://', end);
  }
  return shown + text.slice(from);
}

/** The password of the first URL of a word that has one, and everything up to the last `@`. */
function secretIn(word: string): { readonly from: number; readonly to: number } | undefined {
  const to = word.lastIndexOf('@');
  let begin = 0;
  while (begin <= to) {
    const colon = word.indexOf(':', begin);
    if (colon < 0 || colon > to) return undefined;
    NO_PASSWORD.lastIndex = colon + 1;
    const isUser = !/[/?#]/.test(word.slice(begin, colon)) && !NO_PASSWORD.test(word);
    if (isUser && !word.startsWith('//', colon + 1)) return { from: colon + 1, to };
    const next = word.indexOf('://', begin);
    if (next < 0) return undefined;
    begin = next + 3;
  }
  return undefined;
}
