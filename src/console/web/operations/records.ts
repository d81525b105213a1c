/** What the API tells operators, as far as it is shown. */
export interface AdminOrganization {
  organization_id: string;
  name: string;
  timezone: string;
  default_region: string;
  business_hours: { days: number[]; from: string; to: string };
  notification_emails: string[];
  created_at: string;
}

export interface ReadModel {
  name: string;
  kind: 'inline' | 'async';
  lag_events: number;
  lag_seconds: number;
  status: 'live' | 'rebuilding';
  rebuild?: { progress: number; seconds_left: number | null };
}

export type DeliveryStatus = 'queued' | 'sending' | 'retrying' | 'failed' | 'uncertain';

export interface AdminDelivery {
  organization_id: string;
  draft_id: string;
  modality: string;
  status: DeliveryStatus;
  attempts: number;
  last_error: string | null;
  next_attempt_at: string | null;
}

export interface Webhook {
  webhook_id: string;
  url: string;
  types: string[];
  description: string | null;
  paused: boolean;
  paused_at: string | null;
  paused_because: 'asked' | 'gone' | 'failing' | null;
  failing_since: string | null;
  created_at: string;
}

export interface WebhookDelivery {
  delivery_id: string;
  event_id: string;
  type: string;
  status: 'pending' | 'retrying' | 'delivered' | 'failed';
  attempts: number;
  last_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
  duration_ms: number | null;
  next_attempt_at: string | null;
  created_at: string;
}

export interface WebhookTrial {
  delivered: boolean;
  status_code: number | null;
  error: string | null;
  duration_ms: number;
}

export type ChannelModality = 'email' | 'text' | 'live_chat';

export interface Channel {
  channel_id: string;
  modality: ChannelModality;
  provider: string;
  host?: string;
  port?: number;
  secure?: boolean;
  username?: string | null;
  from_name?: string | null;
  from_address?: string;
  form_thank_you_url?: string | null;
  reply_token?: boolean;
  list_unsubscribe?: boolean;
  account_sid?: string;
  from_number?: string;
  base_url?: string | null;
  hooks: Record<string, string>;
}

export interface ApiKey {
  key_id: string;
  name: string;
  organization_ids: string[];
  agent_id: string | null;
  read_only: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

export interface Finding {
  check: string;
  verdict: 'ok' | 'warning' | 'error';
  detail: string;
  fix?: string;
}

export interface List<Row> {
  data: Row[];
}
