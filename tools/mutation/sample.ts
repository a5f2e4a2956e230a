/** A part of a list, the same for the same seed, in the order of the list. */
export function sampleOf<T>(items: readonly T[], size: number, seed: number): T[] {
  const random = randomOf(seed);
  const places = items.map((_, place) => place);
  const chosen: number[] = [];
  while (chosen.length < size && places.length > 0) {
    const [place] = places.splice(Math.floor(random() * places.length), 1);
    chosen.push(place!);
  }
  return chosen.toSorted((a, b) => a - b).map((place) => items[place]!);
}

/** Numbers from 0 up to 1 by a Weyl sequence and a mixer of 32 bits. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
  };
}
