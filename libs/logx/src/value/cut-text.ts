/** The text itself, or its start and a note on how much is missing. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
