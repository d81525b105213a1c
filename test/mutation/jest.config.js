// The unit tests alone, as Stryker runs them: in this process, for each change of a rule.
import { TIERS } from '../../jest.config.js';

export default TIERS.find(({ displayName }) => displayName === 'unit');
