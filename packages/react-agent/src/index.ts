export type { ClientToolOptions } from './approval/client-tool.ts'
export { clientTool } from './approval/client-tool.ts'
export type { Approve, AskedCall, DecidedCall, Decision, PendingCall } from './approval/decision.ts'
export type { PauseOptions } from './approval/pause.ts'
export type { PausedRun } from './approval/paused-run.ts'
export { assertDecision } from './approval/read-decision.ts'
export type { Refusal } from './calls/call-guards.ts'
export type { CallError, FailedCall, FinishedCall, SucceededCall } from './calls/finished-call.ts'
export type { AgentRun, ReactAgent } from './create-agent.ts'
export type { AgentErrorCode, AgentErrorOptions } from './errors.ts'
export { AgentError, isAgentError } from './errors.ts'
export type { Evaluation, EvaluationCase, EvaluationOptions, EvaluationResult, Metric, Module } from './evaluate/evaluate.ts'
export { evaluate } from './evaluate/evaluate.ts'
export type { AgentEvent } from './events.ts'
export type { History } from './loop/history.ts'
export type { CallData, CallErrorCode, CallOutcome, RefusalReason, UnknownCall } from './loop/outcome.ts'
export type {
  NamedAssistantMessage,
  NamedRawCall,
  NamedToolMessage,
  ReactResult,
  RunState,
  Termination,
  Trajectory,
} from './loop/result.ts'
export type { Run } from './loop/run-stream.ts'
export type { ContextWindowOptions } from './model/context-window.ts'
export type { Budget, ModelUsage, Prices } from './model/spending.ts'
export { isModelUsage } from './model/spending.ts'
export type {
  AgentLimits,
  AgentSearch,
  AgentTools,
  ModuleOptions,
  ReactAgentOptions,
  ResumeOptions,
  RunOptions,
} from './options.ts'
export type { WithReasoning } from './predict/chain-of-thought.ts'
export { chainOfThought } from './predict/chain-of-thought.ts'
export type { PredictCallOptions, Prediction } from './predict/module-options.ts'
export type { Predict, PredictOptions } from './predict/predict.ts'
export { predict } from './predict/predict.ts'
export type { CallDelta, PredictEvent, PredictStream } from './predict/predict-stream.ts'
export { createReactAgent } from './react-agent.ts'
export type { RedactedEvent, RedactedEventsOptions } from './redacted/redacted-events.ts'
export { redactedEvents } from './redacted/redacted-events.ts'
export type { MultiToolDecision, RejectedCall, RejectedCode } from './selector/decision.ts'
export type { MultiToolSelectorOptions } from './selector/multi-tool-selector.ts'
export { multiToolSelector } from './selector/multi-tool-selector.ts'
export type { MultiToolSelector } from './selector/select.ts'
export type { SelectionScore } from './selector/selection-score.ts'
export { scoreSelections, selectionScore } from './selector/selection-score.ts'
export type { SelectorTools } from './selector/tool-list.ts'
export type { Steps } from './steps/steps.ts'
export { NotDecided } from './steps/steps.ts'
export type { AgentToolOptions, ToolAgent } from './tools/agent-tool.ts'
export { agentTool } from './tools/agent-tool.ts'
export type {
  AgentCalls,
  CallsOf,
  FoundIn,
  JsonOf,
  NamedCalls,
  OtherName,
  OtherNames,
  ReservedName,
  StartedCall,
  StartedToolCall,
  SucceededToolCall,
  ToolsOf,
} from './tools/agent-tools.ts'
export type { AgentEntry } from './tools/open-tools.ts'
export type { SearchOptions } from './tools/search.ts'
