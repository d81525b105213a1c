import { getMetadataStorage } from 'class-validator';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Check = (value: unknown, object: object) => boolean;

/** The rules of one property: all checks must hold, unless one of the conditions does not. */
interface Rules {
  conditions: Check[];
  checks: Check[];
}

const rulesByClass = new Map<unknown, Map<string, Rules>>();

/**
 * Whether the object surely passes class-validator; if false, class-validator must be asked. It gathers the rules of a
 * class at every call, which costs more than applying them; here they are gathered once.
 */
export function passes(object: object): boolean {
  const rulesByProperty = rulesOf(object.constructor);
  for (const [property, { conditions, checks }] of rulesByProperty) {
    const value = (object as Record<string, unknown>)[property];
    const holds = (check: Check) => check(value, object);
    if (conditions.every(holds) && !checks.every(holds)) return false;
  }
  // class-validator refuses an object without rules.
  return rulesByProperty.size > 0;
}

function rulesOf(type: object): Map<string, Rules> {
  let rules = rulesByClass.get(type);
  if (!rules) rulesByClass.set(type, (rules = gather(type as never)));
  return rules;
}

function gather(type: new () => object): Map<string, Rules> {
  const rules = new Map<string, Rules>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const { conditions, checks } = rules.get(metadata.propertyName) ?? { conditions: [], checks: [] };
    if (metadata.type === 'conditionalValidation') conditions.push(conditionOf(metadata));
    else checks.push(checkOf(metadata));
    rules.set(metadata.propertyName, { conditions, checks });
  }
  return rules;
}

function conditionOf({ constraints }: Metadata): Check {
  const [condition] = constraints as [(object: object, value: unknown) => boolean];
  return (value, object) => condition(object, value);
}

function checkOf(metadata: Metadata): Check {
  if (metadata.type === 'nestedValidation')
    return (value) =>
      value === undefined || [value].flat().every((one) => one instanceof Object && passes(one));
  if (metadata.type !== 'customValidation' || metadata.validateIf) return () => false;
  const { propertyName: property, constraints, each, constraintCls } = metadata;
  const rules = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  return (value, object) => {
    const details = { value, object, property, targetName: object.constructor.name, constraints };
    const values: unknown[] = each && Array.isArray(value) ? value : [value];
    return rules.every(({ instance }) => values.every((one) => instance.validate(one, details) === true));
  };
}
