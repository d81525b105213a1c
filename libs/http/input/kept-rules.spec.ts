import { getMetadataStorage, IsString, MinLength, validateSync } from 'class-validator';
import { keepRules } from './kept-rules.js';

class Named {
  @IsString()
  name!: string;
  @MinLength(3, { groups: ['long'] })
  title!: string;
}

class Titled extends Named {
  @IsString()
  role!: string;
}

const rulesOf = (type: new () => object, groups?: string[]) =>
  getMetadataStorage().getTargetValidationMetadatas(type, undefined as never, false, false, groups);

keepRules();

it('gathers the rules of a class once, with those of the class that it extends', () => {
  expect(rulesOf(Titled)).toBe(rulesOf(Titled));
  expect(
    rulesOf(Titled)
      .map(({ propertyName }) => propertyName)
      .sort(),
  ).toEqual(['name', 'role', 'title']);
  expect(rulesOf(Named)).not.toBe(rulesOf(Titled));
});

it('gathers them anew for groups', () => {
  expect(rulesOf(Named, ['long']).map(({ propertyName }) => propertyName)).toEqual(['title']);
});

it('has each object judged by itself', () => {
  const wrong = (fields: object) =>
    validateSync(Object.assign(new Titled(), { title: 'long', ...fields })).map(({ property }) => property);
  expect(wrong({ name: 'x', role: 7 })).toEqual(['role']);
  expect(wrong({ name: 7, role: 'x' })).toEqual(['name']);
  expect(wrong({ name: 'x', role: 'x' })).toEqual([]);
});
