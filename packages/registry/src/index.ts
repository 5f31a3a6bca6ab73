export type { ToolDrift, ToolFingerprints } from './audit/fingerprint.ts'
export { findDrift, fingerprintOf, fingerprintTools } from './audit/fingerprint.ts'
export type { HiddenCharacter, HiddenCharacterKind } from './audit/hidden-characters.ts'
export { findHiddenCharacters, revealHiddenCharacters } from './audit/hidden-characters.ts'
export type { ToolHiddenCharacter } from './audit/hidden-in-tool.ts'
export { hiddenCharactersOf } from './audit/hidden-in-tool.ts'
export type { HiddenInTool } from './audit/verify.ts'
export { createRegistry } from './create-registry.ts'
export type { EntryName, NamedTools, RegistryEntry, ToolsIn } from './entries.ts'
export type { RegistryErrorCode, ResolutionCode, ResolutionFailure } from './errors.ts'
export { LoadError, RegistryError, ToolResolutionError } from './errors.ts'
export type { OptionsSource, ToolFactory, ToolFactoryOptions } from './load/factory.ts'
export { defineToolFactory } from './load/factory.ts'
export type { FromGlobOptions } from './load/from-glob.ts'
export { fromGlob } from './load/from-glob.ts'
export type { Definition, LazyTool, Loaded, Loader, LoaderContext, LoadOptions, ToolIn } from './load/lazy.ts'
export { lazy } from './load/lazy.ts'
export type { LazySource } from './load/lazy-source.ts'
export type { LazyToolset, LoadedToolset, ToolsetMember } from './load/lazy-toolset.ts'
export { lazyToolset } from './load/lazy-toolset.ts'
export type { FileNaming } from './load/tool-file-name.ts'
export type { NamePattern, Referable, ReferenceOptions } from './names/reference.ts'
export { tool } from './names/reference.ts'
export type { FoundName, NameTag } from './names/tolerant-name.ts'
export type { RegistryOptions } from './registry-options.ts'
export type {
  ExecuteResult,
  Listed,
  NameIn,
  RawCall,
  Registered,
  Registry,
  ResolvedTools,
  SearchableRegistry,
} from './registry-types.ts'
export type { NamedResolver } from './resolve/place.ts'
export type { ResolveEvent } from './resolve/resolution.ts'
export type { CardArgument, CardSource, ToolCard } from './search/card.ts'
export { cardOf } from './search/card.ts'
export type { RegistrySearchOptions, SearchHit, ToolRanker } from './search/registry-search.ts'
export type { FoundTool, FoundTools, SearchToolOptions, WithheldTools } from './search/search-tool.ts'
export { foundNames, searchTool } from './search/search-tool.ts'
