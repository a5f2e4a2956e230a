/** Loads JSON of the page; returns a message if that fails. */
export async function loaded<T>(url: URL, absent: string): Promise<T | string> {
  try {
    const response = await fetch(url);
    if (response.ok) return (await response.json()) as T;
    return response.status === 404 ? absent : `not loaded: ${response.status}`;
  } catch {
    return 'not loaded: no connection';
  }
}
