import { readFileSync } from 'node:fs';

/** Linear red, green and blue, from 0 to 1. */
type Colour = [number, number, number];
type Matrix = readonly [Colour, Colour, Colour];

const tokens = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');

/** The values of a token in light and in dark. */
function coloursOf(name: string): { light: string; dark: string } {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens)!;
  return { light: light!, dark: dark! };
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const colourOf = (hex: string): Colour =>
  [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as Colour;

/** WCAG 2.2, relative luminance and contrast ratio. */
const luminance = ([red, green, blue]: Colour): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
function contrast(one: Colour, other: Colour): number {
  const [low, high] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (high! + 0.05) / (low! + 0.05);
}

const times = (matrix: Matrix, colour: Colour): Colour =>
  matrix.map((row) => row.reduce((sum, factor, nr) => sum + factor * colour[nr]!, 0)) as Colour;

/** Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color vision deficiency". */
const EYES: Record<string, Matrix> = {
  'see all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'lack red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'lack green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'lack blue': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Ottosson 2020, Oklab: distances are about as large as they are seen; 0.02 is just seen. */
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const seen = (colour: Colour): Colour => times(TO_LAB, times(TO_CONES, colour).map(Math.cbrt) as Colour);
const distance = (one: Colour, other: Colour): number =>
  Math.hypot(...seen(one).map((part, nr) => part - seen(other)[nr]!));

const pairsOf = <T>(all: T[]): [T, T][] =>
  all.flatMap((one, nr) => all.slice(nr + 1).map((other): [T, T] => [one, other]));

describe.each(['light', 'dark'] as const)('the colours of plots, %s', (scheme) => {
  const of = (name: string) => colourOf(coloursOf(name)[scheme]);
  const colours = [1, 2, 3, 4, 5].map((nr) => of(`plot-${nr}`));

  it.each(Object.entries(EYES))('are told apart by eyes that %s', (_, matrix) => {
    const shown = colours.map(
      (colour) => times(matrix, colour).map((part) => Math.min(1, Math.max(0, part))) as Colour,
    );
    const closest = Math.min(...pairsOf(shown).map(([one, other]) => distance(one, other)));
    expect(closest).toBeGreaterThan(0.07);
  });

  it('are told apart on grey paper', () => {
    const greys = colours.map((colour): Colour => [luminance(colour), luminance(colour), luminance(colour)]);
    expect(Math.min(...pairsOf(greys).map(([one, other]) => distance(one, other)))).toBeGreaterThan(0.04);
  });

  it('stand out from the page, as does what is drawn of the window before', () => {
    const contrasts = [...colours, of('plot-before')].map((colour) => contrast(colour, of('page')));
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3);
  });
});
