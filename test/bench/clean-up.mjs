const steps = [];

/** Registers what takes back something just begun; the last registered runs first. */
export const later = (step) => steps.unshift(step);

export async function cleanUp() {
  for (const step of steps.splice(0))
    try {
      await step();
    } catch (error) {
      console.error(error);
    }
}
