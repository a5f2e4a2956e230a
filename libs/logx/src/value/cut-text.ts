/** The text itself, or its beginning and how much is missing. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
