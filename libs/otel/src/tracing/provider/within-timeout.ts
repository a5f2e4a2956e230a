/**
 * Whether work is done in time; its later result is ignored.
 *
 * @throws its error, if it fails in time.
 */
export async function withinTimeout(
  ms: number,
  work: () => Promise<void> | undefined,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([late, done(work)]);
  } finally {
    clearTimeout(timer);
  }
}

async function done(work: () => Promise<void> | undefined): Promise<true> {
  await work();
  return true;
}
