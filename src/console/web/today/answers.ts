/** What the API answers of figures, as far as it is shown here. */

export interface VolumeStats {
  numMessagesReceived: number;
  numMessagesSent: number;
  totalConversations: number;
}
export interface ResponseRateStats {
  numConversationsRespondedTo: number;
  numConversationsReceived: number;
  responseRate: number;
}
export interface ResponseTimeStats {
  responseTime: number;
  numResponses: number;
}
export interface ModalityStats {
  emails: number;
  textMessages: number;
  calls: number;
  liveChats: number;
  formRequests: number;
}

export interface ConversationFigures {
  volumeStats: VolumeStats;
  responseRateStats: ResponseRateStats;
  responseTimeStats: ResponseTimeStats;
  modalityStats: ModalityStats;
}

export interface Bucket extends ConversationFigures {
  start_date: string;
  end_date: string;
}

export interface StageFigures {
  name: string;
  status: string | null;
  volume: number;
  /** For each currency, where there are quotes. */
  values?: { currency: string; value: string }[];
}

export interface SaleFigures {
  pipeline: StageFigures[];
  salesRate: number;
}

export interface AgentFigures {
  agent_id: string;
  name: string;
  conversations: { conversationsRespondedTo: number; messagesSent: number };
  sales: SaleFigures;
}

/** The figures whose records can be listed. */
export type Figure =
  | keyof VolumeStats
  | 'numConversationsRespondedTo'
  | 'numConversationsReceived'
  | 'responseTime'
  | keyof ModalityStats
  | 'conversationsRespondedTo'
  | 'messagesSent'
  | 'pipeline'
  | 'salesCreated'
  | 'salesAccepted';

export interface FigureRecord {
  at: string;
  conversation_id?: string;
  message_id?: string;
  response_seconds?: number;
  sale_id?: string;
  left_at?: string | null;
  currency?: string | null;
  total_price?: string | null;
}

export interface Task {
  task_id: string;
  title: string;
  due_at: string | null;
  agent?: { name: string } | null;
}

export interface Stage {
  status_id: string;
  label: string;
}
