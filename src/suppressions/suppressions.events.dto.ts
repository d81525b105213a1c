import { PickType } from '@nestjs/swagger';
import { SuppressionResponse } from './suppressions.dto.js';

// The data of public events. Schemas are named after these classes.

export class SuppressionAddedData extends SuppressionResponse {}

export class SuppressionBouncedData {}

export class SuppressionBounceLiftedData extends PickType(SuppressionResponse, ['reason']) {}

export class SuppressionRemovedData {}
