let opening = 0;

/** Creates an app whose host is not that of a plain main, which its providers see by {@link isOpening}. */
export async function whileOpening<T>(create: () => Promise<T>): Promise<T> {
  opening += 1;
  try {
    return await create();
  } finally {
    opening -= 1;
  }
}

/** Whether an app is being created by `runHost` or `startHost`. */
export function isOpening(): boolean {
  return opening > 0;
}
