import { Controller, Get, Query } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { DoctorResponse, ExamineQuery } from './doctor.dto.js';
import { Doctor } from './doctor.js';

@ApiTags('Administration')
@ApiSecurity('admin-key')
@ApiProblems(400, 401, 404)
@Controller('admin/v1/doctor')
export class DoctorAdminController {
  constructor(private readonly doctor: Doctor) {}

  /**
   * Say what is wrong with the set-up, and how to fix it.
   *
   * The process that answers looks at its environment, its data directory and disk, Redis, the database and its settings, workers, read models,
   * and the secrets of webhooks and channels. It changes nothing.
   */
  @Get()
  async examine(@Query() { channels }: ExamineQuery): Promise<DoctorResponse> {
    return { data: await this.doctor.examine(channels ?? false) };
  }
}
